"""A small OpenAI-compatible server on this machine, for tests: its model is a function of the messages."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def completion(model, said):
    """The body of an answer with all that clients insist on."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    about = {"id": "scripted", "object": "chat.completion", "created": 0, "model": model}
    return about | {"choices": [choice], "usage": usage}


@contextmanager
def serving(reply, headers=None):
    """Serve `reply`: messages -> text, or an int for an HTTP status, or bytes for a body of any form, or both as (status, bytes).

    Yields address and requests.
    """
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append((self.path, dict(self.headers), asked))
            said = reply(asked["messages"])
            status, said = said if isinstance(said, tuple) else (said if isinstance(said, int) else 200, said)
            body = said if isinstance(said, bytes) else json.dumps(completion(asked["model"], said)).encode()
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            if status == 302:
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # a client that did not wait
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
