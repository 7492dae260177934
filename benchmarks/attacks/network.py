"""Attacks by sockets of every kind, on listeners of the benchmark on the host's loopback."""

import array
import os
import socket
import struct

import aim
import pytest

WORD = aim.MARK.encode()


def _connect(family, kind, protocol, address):
    with socket.socket(family, kind, protocol) as way:
        way.settimeout(1)
        way.connect(address)
        way.send(WORD)


def test_tcp4():
    """TCP over IPv4"""
    _connect(socket.AF_INET, socket.SOCK_STREAM, 0, ("127.0.0.1", aim.PORTS["tcp4"]))


def test_tcp6():
    """TCP over IPv6"""
    _connect(socket.AF_INET6, socket.SOCK_STREAM, 0, ("::1", aim.PORTS["tcp6"]))


def test_tcp_mapped():
    """TCP over IPv6 to a mapped IPv4 address"""
    _connect(socket.AF_INET6, socket.SOCK_STREAM, 0, ("::ffff:127.0.0.1", aim.PORTS["tcp4"]))


def test_tcp_fast_open():
    """TCP connected by sendto (fast open), past checks of connect"""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as way:
        way.settimeout(1)
        way.sendto(WORD, socket.MSG_FASTOPEN, ("127.0.0.1", aim.PORTS["tcp4"]))


def test_mptcp():
    """multipath TCP"""
    _connect(socket.AF_INET, socket.SOCK_STREAM, 262, ("127.0.0.1", aim.PORTS["tcp4"]))


def test_udp4():
    """UDP over IPv4"""
    _connect(socket.AF_INET, socket.SOCK_DGRAM, 0, ("127.0.0.1", aim.PORTS["udp4"]))


def test_udp6():
    """UDP over IPv6"""
    _connect(socket.AF_INET6, socket.SOCK_DGRAM, 0, ("::1", aim.PORTS["udp6"]))


def test_dns():
    """a name server's question, with the loot in the name"""
    name = b"".join(bytes([len(p)]) + p for p in (WORD, b"invalid")) + b"\0"
    question = struct.pack(">6H", 7, 0x100, 1, 0, 0, 0) + name + struct.pack(">2H", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.sendto(question, ("127.0.0.1", aim.PORTS["udp4"]))


def test_subprocess_connects():
    """TCP from a child that a shell starts"""
    import subprocess

    port = aim.PORTS["tcp4"]
    subprocess.run(["bash", "-c", f"echo {aim.MARK} > /dev/tcp/127.0.0.1/{port}"], check=True)


def test_sctp():
    """SCTP"""
    _connect(socket.AF_INET, socket.SOCK_STREAM, 132, ("127.0.0.1", aim.PORTS["sctp"]))


def test_udplite():
    """UDP-Lite"""
    _connect(socket.AF_INET, socket.SOCK_DGRAM, 136, ("127.0.0.1", aim.PORTS["udplite"]))


@pytest.mark.attack(seen="inside")
def test_raw():
    """a raw IP socket"""
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()


@pytest.mark.attack(seen="inside")
def test_packet():
    """a packet socket, which sees the wire"""
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)).close()


@pytest.mark.attack(seen="inside")
def test_vsock():
    """a socket to the hypervisor"""
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()


@pytest.mark.attack(seen="inside")
def test_alg():
    """a socket of the kernel's crypto interface"""
    socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET, 0).close()


@pytest.mark.attack(seen="inside")
@pytest.mark.parametrize("family", [4, 5, 9, 21, 29, 30, 31, 41, 43, 44])
def test_odd_family(family):
    """a socket of an odd family (IPX, AppleTalk, X25, RDS, CAN, TIPC, Bluetooth, KCM, SMC, XDP)"""
    socket.socket(family, socket.SOCK_DGRAM, 0).close()


@pytest.mark.attack(seen="inside")
def test_netlink_sockets():
    """netlink lists the host's listening sockets"""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4) as way:
        body = struct.pack("=BBBxI", socket.AF_INET, socket.IPPROTO_TCP, 0, 1 << 10) + bytes(48)
        way.send(struct.pack("=IHHII", 16 + len(body), 20, 0x301, 1, 0) + body)
        way.settimeout(1)
        assert struct.pack(">H", aim.PORTS["tcp4"]) in way.recv(1 << 16)


@pytest.mark.attack(seen="inside")
def test_netlink_interfaces():
    """the host's network interfaces are listed"""
    assert {name for _, name in socket.if_nameindex()} - {"lo"}


@pytest.mark.attack(seen="inside")
def test_proc_net():
    """/proc/net lists the host's listening sockets"""
    with open("/proc/net/tcp") as file:
        assert f":{aim.PORTS['tcp4']:04X} " in file.read()


def test_abstract():
    """an abstract unix socket of the user's"""
    _connect(socket.AF_UNIX, socket.SOCK_STREAM, 0, aim.ABSTRACT)


def test_pathname():
    """a unix socket of the user's with a path"""
    _connect(socket.AF_UNIX, socket.SOCK_STREAM, 0, aim.SOCKET)


def test_pass_descriptor():
    """hand a descriptor to a process of the user's over a unix socket"""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as way:
        way.settimeout(1)
        way.connect(aim.SOCKET)
        handle = os.open("/", os.O_RDONLY)
        rights = array.array("i", [handle])
        way.sendmsg([WORD], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
