import pytest

from memdir import endpoint

ADDRESSES = (
    "https://api.anthropic.com",
    "https://gateway.example.com:8443/anthropic/v1",
    "https://10.0.0.5",
    "http://localhost:8080",
    "http://127.0.0.1",
    "http://127.8.9.10:1",
    "http://[::1]:4000/x",
    "https://[::1]",
    "",
)
NO_ADDRESSES = {
    "plain http": "http://api.anthropic.com",
    "a name that begins like loopback": "http://127.0.0.1.example.com",
    "a name that ends like loopback": "http://x.localhost",
    "loopback with too large a number": "http://127.0.0.300",
    "a user": "https://me@example.com",
    "a user that looks like the host": "https://api.anthropic.com@example.com",
    "user and password": "https://me:secret@example.com",
    "loopback as a user": "http://localhost:x@example.com",
    "a query": "https://example.com/?x=1",
    "a fragment": "https://example.com/#x",
    "a blank": "https://example.com/a b",
    "a line break": "https://example.com\n",
    "a control character": "https://example.com/\x1b[2J",
    "a backslash": "https://example.com\\@evil.example",
    "another script": "https://аpi.anthropic.com",
    "no scheme": "api.anthropic.com",
    "another scheme": "file:///etc/passwd",
    "no host": "https://",
    "a path alone": "https:///x",
    "port 0": "https://example.com:0",
    "port too large": "https://example.com:65536",
    "port of letters": "https://example.com:x",
    "digits of another script": "https://example.com:٤٤٣",
    "no port after the colon": "https://example.com:",
    "an option": "--proxy=https://x",
    "very long": "https://example.com/" + "a" * 2_000,
}


@pytest.mark.parametrize("url", ADDRESSES)
def test_an_address_for_requests_is_taken(url):
    assert endpoint.base_url_problem(url) == ""


@pytest.mark.parametrize("url", NO_ADDRESSES.values(), ids=NO_ADDRESSES)
def test_what_could_lead_elsewhere_is_no_address(url):
    assert endpoint.base_url_problem(url) != ""


@pytest.mark.parametrize(
    "name", ["", "haiku", "claude-haiku-5-5", "claude-sonnet-5-5[1m]", "us.anthropic.claude-haiku-4-5-20251001-v1:0"]
)
def test_a_model_may_be_called_so(name):
    assert endpoint.model_problem(name) == ""


@pytest.mark.parametrize("name", ["-p", "--model", "a b", "a\n", "a;b", "$(x)", "模型", "a" * 129, "/etc"])
def test_no_model_is_called_so(name):
    assert endpoint.model_problem(name) != ""
