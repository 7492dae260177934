"""What honest tests do with sockets: servers and clients on loopback, unix sockets."""

import asyncio
import http.server
import selectors
import socket
import socketserver
import threading
import urllib.request
import xmlrpc.client
import xmlrpc.server


class Shout(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(self.rfile.readline().upper())


def _asked(server, family=socket.AF_INET):
    with server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with socket.socket(family) as way:
            way.settimeout(5)
            way.connect(
                server.server_address[:2] if family != socket.AF_UNIX else server.server_address
            )
            way.sendall(b"hello\n")
            answer = way.recv(100)
        server.shutdown()
    return answer


def test_tcp():
    """a TCP server on loopback (socketserver)"""
    assert _asked(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Shout)) == b"HELLO\n"


def test_localhost_by_name():
    """a TCP server reached as localhost"""
    with (
        socket.create_server(("localhost", 0)) as server,
        socket.create_connection(("localhost", server.getsockname()[1]), 5) as way,
    ):
        way.sendall(b"x")
        assert server.accept()[0].recv(1) == b"x"


def test_tcp6():
    """a TCP server on the loopback of IPv6"""

    class Server(socketserver.TCPServer):
        address_family = socket.AF_INET6

    assert _asked(Server(("::1", 0), Shout), socket.AF_INET6) == b"HELLO\n"


def test_udp():
    """UDP on loopback"""
    with (
        socket.socket(type=socket.SOCK_DGRAM) as server,
        socket.socket(type=socket.SOCK_DGRAM) as client,
    ):
        server.bind(("127.0.0.1", 0))
        server.settimeout(5)
        client.sendto(b"x", server.getsockname())
        assert server.recv(10) == b"x"


def test_http():
    """http.server and urllib"""

    class Hello(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"hello")

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hello) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/", timeout=5) as page:
            assert page.read() == b"hello"
        server.shutdown()


def test_xmlrpc():
    """an XML-RPC server"""
    with xmlrpc.server.SimpleXMLRPCServer(("127.0.0.1", 0), logRequests=False) as server:
        server.register_function(pow)
        threading.Thread(target=server.handle_request, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        assert xmlrpc.client.ServerProxy(address).pow(2, 5) == 32


def test_asyncio_server():
    """an asyncio server and client"""

    async def serve():
        async def shout(reader, writer):
            writer.write((await reader.readline()).upper())
            writer.close()

        server = await asyncio.start_server(shout, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"hi\n")
        answer = await reader.readline()
        writer.close()
        server.close()
        return answer

    assert asyncio.run(serve()) == b"HI\n"


def test_unix_socket(tmp_path):
    """a unix socket in tmp_path"""
    place = str(tmp_path / "s")
    answer = _asked(socketserver.ThreadingUnixStreamServer(place, Shout), socket.AF_UNIX)
    assert answer == b"HELLO\n"


def test_abstract_socket():
    """an abstract unix socket"""
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind("\0ordinary-test")
        server.listen()
        client.connect("\0ordinary-test")


def test_socketpair():
    """socketpair and selectors (epoll)"""
    ours, theirs = socket.socketpair()
    with selectors.DefaultSelector() as selector:
        selector.register(ours, selectors.EVENT_READ)
        theirs.send(b"x")
        assert [key.fileobj for key, _ in selector.select(1)] == [ours]


def test_unreachable():
    """a connection that is refused is an OSError"""
    with socket.socket() as way:
        way.bind(("127.0.0.1", 0))
        port = way.getsockname()[1]
    try:
        socket.create_connection(("127.0.0.1", port), 2)
    except OSError:
        return
    raise AssertionError("somebody answered")


def test_interfaces():
    """the names of network interfaces"""
    assert "lo" in {name for _, name in socket.if_nameindex()}


def test_hostname():
    """the host's name"""
    assert socket.gethostname()


def test_service_names():
    """names of services and protocols"""
    assert socket.getservbyname("http") == 80
    assert socket.getprotobyname("tcp") == 6
