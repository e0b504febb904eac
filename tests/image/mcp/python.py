# A server of one tool, without packages.
import json
import platform
import sys

for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    answer = {"jsonrpc": "2.0", "id": request["id"]}
    if request["method"] == "initialize":
        answer["result"] = {
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "python", "version": platform.python_version()},
        }
    elif request["method"] == "tools/list":
        tool = {"name": "greet", "description": "Greets.", "inputSchema": {"type": "object"}}
        answer["result"] = {"tools": [tool]}
    else:
        answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
