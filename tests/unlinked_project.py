"""A project whose tests name no requirements yet."""

from __future__ import annotations

REQUIREMENTS = """
fares:
  - id: F-1
    title: Fares by age
    description: "`fare` gives the price of a ticket by `age`."
    acceptance: ["A child pays 'free'.", "An adult pays more."]
    examples: [">>> fare(age=40)\\n'2.40'"]
  - id: F-2
    title: Refunds
    description: "`refund` gives back what was paid."
    acceptance: ["`refund('2.40')` gives '2.40'."]
  - id: F-3
    title: Printing a ticket
    description: "A `Ticket` is printed with `print_ticket`."
    acceptance: ["It fits the page."]
  - id: F-4
    title: Night tariff
    description: At night it costs more.
    acceptance: ["Twice as much."]
  - {id: F-5, title: Lost tickets, description: "`refund` refuses them.", acceptance: ["x"], waived: later}
"""
PROGRAM = """
class Ticket: ...
def fare(age=0): ...
def refund(paid): ...
def print_ticket(ticket): ...
def lost(): ...
"""
TESTS = '''\
from thing import Ticket, fare, print_ticket, refund


def test_grown_up():
    assert fare(age=40) == '2.40'


def test_refund():
    """Gives it back."""
    assert refund('2.40') == '2.40'


class TestTickets:
    def test_printing_of_a_ticket(self):
        assert print_ticket(Ticket())


def test_tariff_at_night():
    assert True


def test_other():
    assert lost() is None
'''
