"""What a program that uses the Python SDK does with gum; it prints one JSON object for the test."""
import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ResourceTemplateReference


async def main(command, home):
    env = {"HOME": home, "PATH": "/usr/bin:/bin:/usr/local/bin"}
    said = {}
    async with stdio_client(StdioServerParameters(command=command, args=["mcp", "--stdio"], env=env)) as streams:
        async with ClientSession(*streams) as session:
            await session.initialize()
            said["tools"] = [tool.name for tool in (await session.list_tools()).tools]
            args = {"op_id": "hello.hello", "args": {"name": "Ada"}}
            called = await session.call_tool("gum.read", args)
            said["called"] = dump(called)
            wrong = await session.call_tool("gum.read", {"op_id": "hello.hello", "args": {"name": 3}})
            said["wrong"] = dump(wrong)
            said["resources"] = [str(one.uri) for one in (await session.list_resources()).resources]
            read = await session.read_resource("gum://plugins")
            said["read"] = json.loads(read.contents[0].text)
            said["prompts"] = [one.name for one in (await session.list_prompts()).prompts]
            prompt = await session.get_prompt("plug.resources.greet", {"name": "Ada"})
            said["prompt"] = prompt.messages[0].content.text
            ref = ResourceTemplateReference(type="ref/resource", uri="gum://op/{id}")
            completed = await session.complete(ref, {"name": "id", "value": "hello"})
            said["completed"] = completed.completion.values
    print(json.dumps(said))


def dump(result):
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


asyncio.run(main(*sys.argv[1:]))
