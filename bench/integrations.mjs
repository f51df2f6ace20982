// Other people's tools against a running server: checkers and client generators for the API's document, and clients of MCP.
//   npm run build && npm run bench -- integrations [redocly spectral go …] [--folder DIR]
// Installs each tool from its registry into a folder of its own (--folder keeps it for the next run) and prints one line for each. A tool
// that cannot be had says so, which is no failure. It needs npx, and Python, Go and Java for their tools.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { registerPeople, signIn } from './load/people.mjs';
import { newFolder, startWeb } from './load/processes.mjs';

const folderAt = process.argv.indexOf('--folder');
const FOLDER =
  folderAt < 0 ? mkdtempSync(path.join(tmpdir(), 'vialbook-tools-')) : process.argv[folderAt + 1];
const PATIENCE_MS = 600_000;
const CLI = path.join(import.meta.dirname, '../build/cli/main.js');
/** How many calls a generated client makes. */
const CALLS = 12;

/** Why a tool could not be tried. */
class Unavailable extends Error {}

/** Runs a command. @returns its output @throws Error with the end of the output */
function run(command, args, { cwd = FOLDER, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', ...env },
      timeout: PATIENCE_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(output.trim().slice(-1500) || `exit code ${code}`)),
    );
  });
}

/** The same for what fetches a tool. */
const fetchTool = (...command) =>
  run(...command).catch((error) => {
    throw new Unavailable(error.message.split('\n').at(-1));
  });

function folderOf(name) {
  const folder = path.join(FOLDER, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A Python with these packages. @returns the folder of its programs */
async function python(name, ...packages) {
  const folder = folderOf(name);
  const bin = path.join(folder, 'venv', process.platform === 'win32' ? 'Scripts' : 'bin');
  if (existsSync(path.join(bin, 'ready'))) return bin;
  await fetchTool('python3', ['-m', 'venv', path.join(folder, 'venv')]);
  await fetchTool(path.join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
  writeFileSync(path.join(bin, 'ready'), '');
  return bin;
}

/** A package of npm, in a folder of its own. @returns the folder of its programs */
async function npm(name, ...packages) {
  const folder = folderOf(name);
  const bin = path.join(folder, 'node_modules/.bin');
  if (existsSync(bin)) return bin;
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  await fetchTool('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder });
  return bin;
}

const { folder: dataFolder, remove } = newFolder();
const DATA_DIR = path.join(dataFolder, 'data');
const web = await startWeb({ DATA_DIR });
const origin = `http://localhost:${web.port}`;
const [person] = await registerPeople(web.port, 1);
const { token } = await signIn(web.port, person);

async function documentAt(address, name) {
  const file = path.join(folderOf('documents'), name);
  writeFileSync(file, await (await fetch(`${origin}${address}`)).text());
  return file;
}
const NEW = await documentAt('/api/openapi.json', 'openapi.json');
const OLD = await documentAt('/api/openapi-3.0.json', 'openapi-3.0.json');

/** Calls whatever reads without arguments, until there are enough. */
const PYTHON_CALLS = `
import importlib, inspect, pkgutil, sys
sys.path.insert(0, sys.argv[1])
package = importlib.import_module(sys.argv[2])
client = importlib.import_module(sys.argv[2] + ".client").AuthenticatedClient(base_url=sys.argv[3], token=sys.argv[4])
done = []
for module in pkgutil.walk_packages(importlib.import_module(sys.argv[2] + ".api").__path__, sys.argv[2] + ".api."):
    name = module.name.split(".")[-1]
    if module.ispkg or not name.startswith(("get_", "list_")) or len(done) >= int(sys.argv[5]):
        continue
    call = importlib.import_module(module.name).sync_detailed
    needed = [p for p in inspect.signature(call).parameters.values() if p.default is p.empty]
    if [p.name for p in needed] != ["client"]:
        continue
    answer = call(client=client)
    if int(answer.status_code) in (402, 403):
        continue
    assert int(answer.status_code) == 200 and answer.parsed is not None, (name, answer.status_code)
    done.append(name)
assert len(done) == int(sys.argv[5]), done
print(len(done), "calls")
`;

const GO_CALLS = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"

	"calls/vialbook"
)

func main() {
	bearer := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}
	client, err := vialbook.NewClientWithResponses(os.Args[1], vialbook.WithRequestEditorFn(bearer))
	if err != nil {
		panic(err)
	}
	value, kind, done := reflect.ValueOf(client), reflect.TypeOf(client), 0
	for i := 0; i < kind.NumMethod() && done < ${CALLS}; i++ {
		name := kind.Method(i).Name
		if !strings.HasSuffix(name, "WithResponse") || !(strings.HasPrefix(name, "Get") || strings.HasPrefix(name, "List")) {
			continue
		}
		method := value.Method(i).Type()
		args := []reflect.Value{reflect.ValueOf(context.Background())}
		if method.NumIn() == 3 && method.In(1).Kind() == reflect.Pointer {
			args = append(args, reflect.New(method.In(1).Elem()))
		} else if method.NumIn() != 2 {
			continue
		}
		answer := value.Method(i).Call(args)
		if !answer[1].IsNil() {
			panic(fmt.Sprint(name, answer[1]))
		}
		status := answer[0].MethodByName("StatusCode").Call(nil)[0].Int()
		if status == 402 || status == 403 {
			continue
		}
		if status != 200 || answer[0].Elem().FieldByName("JSON200").IsNil() {
			panic(fmt.Sprint(name, status))
		}
		done++
	}
	if done < ${CALLS} {
		panic(done)
	}
	fmt.Println(done, "calls")
}
`;

const TYPESCRIPT_CALLS = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
const client = createClient<paths>({ baseUrl: process.argv[2], headers: { Authorization: \`Bearer \${process.argv[3]}\` } });
const answers = [
  await client.GET('/api/auth/me'),
  await client.GET('/api/compounds'),
  await client.GET('/api/calculations'),
  await client.GET('/api/schedules'),
  await client.GET('/api/schedules/doses'),
  await client.GET('/api/side-effects'),
  await client.GET('/api/injection-sites'),
  await client.GET('/api/today'),
  await client.GET('/api/stock'),
  await client.POST('/api/calculations', { body: { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25 } }),
  await client.POST('/api/compounds', { body: { name: 'BPC-157', concentration: 2.5, totalAmount: 5 } }),
  await client.POST('/api/side-effects', { body: { name: 'Redness', severity: 2, startedAt: new Date().toISOString() } }),
];
for (const { response, error } of answers) if (!response.ok) throw new Error(response.status + ' ' + JSON.stringify(error));
const made = answers[9].data;
if (made && 'calculation' in made.data) { const units: number = made.data.calculation.injectionVolume; if (units !== 0.1) throw new Error(String(units)); }
console.log(answers.length, 'calls');
`;

const count = (text, pattern) => text.match(pattern)?.[0] ?? 'no message';

const TOOLS = {
  async redocly() {
    const bin = await npm('redocly', '@redocly/cli');
    for (const file of [NEW, OLD])
      await run(path.join(bin, 'redocly'), ['lint', '--extends=spec', '--format=summary', file]);
    return '3.1 and 3.0: no error';
  },
  async spectral() {
    const bin = await npm('spectral', '@stoplight/spectral-cli');
    const rules = path.join(FOLDER, 'spectral/rules.json');
    writeFileSync(rules, '{"extends":["spectral:oas"]}');
    for (const file of [NEW, OLD])
      await run(path.join(bin, 'spectral'), ['lint', '--fail-severity=error', '--ruleset', rules, file]);
    return '3.1 and 3.0: no error';
  },
  async 'openapi-spec-validator'() {
    const bin = await python('openapi-spec-validator', 'openapi-spec-validator');
    for (const file of [NEW, OLD]) await run(path.join(bin, 'openapi-spec-validator'), [file]);
    return '3.1 and 3.0: no error';
  },
  async 'kin-openapi'() {
    const folder = folderOf('kin-openapi');
    if (!existsSync(path.join(folder, 'validate')))
      await fetchTool('go', ['install', 'github.com/getkin/kin-openapi/cmd/validate@latest'], {
        env: { GOBIN: folder },
      });
    await run(path.join(folder, 'validate'), [OLD]);
    return '3.0: no error';
  },
  async 'openapi-typescript'() {
    const packages = ['openapi-typescript', 'openapi-fetch', 'typescript@5', '@types/node', 'tsx'];
    const bin = await npm('openapi-typescript', ...packages);
    const folder = path.dirname(path.dirname(bin));
    await run(path.join(bin, 'openapi-typescript'), [NEW, '--output', path.join(folder, 'schema.ts')]);
    writeFileSync(path.join(folder, 'calls.mts'), TYPESCRIPT_CALLS.replace('./schema.js', './schema.ts'));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck'];
    const more = ['--allowImportingTsExtensions', '--target', 'es2022', 'calls.mts'];
    await run(path.join(bin, 'tsc'), [...options, ...more], { cwd: folder });
    const output = await run(path.join(bin, 'tsx'), ['calls.mts', origin, token], { cwd: folder });
    return `compiles; ${count(output, /\d+ calls/)}`;
  },
  async 'openapi-python-client'() {
    const bin = await python(
      'openapi-python-client',
      'openapi-python-client',
      'httpx',
      'attrs',
      'ruff',
      'python-dateutil',
    );
    const out = path.join(FOLDER, 'openapi-python-client/out');
    rmSync(out, { recursive: true, force: true });
    const args = ['generate', '--path', NEW, '--meta', 'none', '--output-path', path.join(out, 'vialbook')];
    const env = { PATH: `${bin}${path.delimiter}${process.env.PATH}` };
    const output = await run(path.join(bin, 'openapi-python-client'), args, { env });
    const left = output.match(/WARNING parsing [A-Z]+ \S+/g) ?? [];
    await run(path.join(bin, 'python'), ['-m', 'compileall', '-q', out]);
    const calls = path.join(FOLDER, 'openapi-python-client/calls.py');
    writeFileSync(calls, PYTHON_CALLS);
    const answer = await run(path.join(bin, 'python'), [
      calls,
      out,
      'vialbook',
      origin,
      token,
      String(CALLS),
    ]);
    const note = left.length === 0 ? 'with every part' : `without a file’s content in ${left.length}`;
    return `compiles, ${note}; ${count(answer, /\d+ calls/)}`;
  },
  async 'oapi-codegen'() {
    const folder = folderOf('oapi-codegen');
    if (!existsSync(path.join(folder, 'oapi-codegen')))
      await fetchTool('go', ['install', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@latest'], {
        env: { GOBIN: folder },
      });
    mkdirSync(path.join(folder, 'calls/vialbook'), { recursive: true });
    const cwd = path.join(folder, 'calls');
    const args = ['-package', 'vialbook', '-generate', 'types,client', '-o', 'vialbook/vialbook.go', OLD];
    await run(path.join(folder, 'oapi-codegen'), args, { cwd });
    writeFileSync(path.join(cwd, 'main.go'), GO_CALLS);
    if (!existsSync(path.join(cwd, 'go.mod'))) await run('go', ['mod', 'init', 'calls'], { cwd });
    await fetchTool('go', ['mod', 'tidy'], { cwd });
    await run('go', ['build', '-o', 'calls', '.'], { cwd });
    return `compiles; ${count(await run(path.join(cwd, 'calls'), [origin, token]), /\d+ calls/)}`;
  },
  async 'openapi-generator'() {
    const bin = await npm('openapi-generator', '@openapitools/openapi-generator-cli');
    const cwd = path.dirname(path.dirname(bin));
    const program = path.join(bin, 'openapi-generator-cli');
    await fetchTool(program, ['version'], { cwd });
    const languages = ['java', 'python', 'go'];
    for (const language of languages) {
      const out = path.join(cwd, language);
      rmSync(out, { recursive: true, force: true });
      // Go's enums share one name space.
      const more = language === 'go' ? ['--additional-properties=enumClassPrefix=true'] : [];
      await run(program, ['generate', '-i', OLD, '-g', language, '-o', out, ...more], { cwd });
    }
    await run('python3', ['-m', 'compileall', '-q', path.join(cwd, 'python')]);
    await run('go', ['mod', 'tidy'], { cwd: path.join(cwd, 'go') });
    await run('go', ['build', './...'], { cwd: path.join(cwd, 'go') });
    return `${languages.join(', ')} generated; Python and Go compile`;
  },
  async schemathesis() {
    const bin = await python('schemathesis', 'schemathesis');
    const header = `Authorization: Bearer ${token}`;
    const output = await run(path.join(bin, 'schemathesis'), [
      ...[
        'run',
        `${origin}/api/openapi.json`,
        '--header',
        header,
        '--max-examples',
        '5',
        '--phases',
        'examples,coverage',
      ],
      ...[
        '--include-method',
        'GET',
        '--checks',
        'not_a_server_error,response_schema_conformance,content_type_conformance',
      ],
    ]);
    return count(output, /\d+ (generated|passed)[^\n]*/);
  },
  async 'mcp-inspector'() {
    const bin = await npm('mcp-inspector', '@modelcontextprotocol/inspector');
    const server = [process.execPath, CLI, 'mcp', '--user', person.email];
    const args = ['--cli', '-e', `DATA_DIR=${DATA_DIR}`, ...server, '--method', 'tools/list'];
    return `${JSON.parse(await run(path.join(bin, 'mcp-inspector'), args)).tools.length} tools over stdio`;
  },
  async 'mcp-python'() {
    const bin = await python('mcp-python', 'mcp');
    const script = path.join(FOLDER, 'mcp-python/calls.py');
    writeFileSync(script, PYTHON_MCP);
    const output = await run(path.join(bin, 'python'), [script, `${origin}/mcp`, await personalToken()]);
    return output.trim();
  },
};

const PYTHON_MCP = `
import asyncio, sys
import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

async def main():
    headers = {"Authorization": "Bearer " + sys.argv[2]}
    async with httpx2.AsyncClient(headers=headers) as http, streamable_http_client(sys.argv[1], http_client=http) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            prompts = (await session.list_prompts()).prompts
            answer = await session.call_tool("calculate", {"peptideAmount": 5, "waterVolume": 2, "desiredDose": 0.25})
            assert not answer.is_error, answer
            print(len(tools), "tools over HTTP,", len(prompts), "prompts, a call")

asyncio.run(main())
`;

/** A personal token that may write, once. */
let made;
async function personalToken() {
  made ??= fetch(`${origin}/api/profile/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'Tools', scope: 'write', life: '30' }),
  }).then((answer) => answer.json());
  return (await made).data.token;
}

const named = process.argv.slice(2).filter((name) => Object.hasOwn(TOOLS, name));
let failures = 0;
try {
  for (const [name, tool] of Object.entries(TOOLS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    try {
      console.log(`ok     ${name.padEnd(24)}${await tool()}`);
    } catch (error) {
      const isAbsent = error instanceof Unavailable || error.code === 'ENOENT';
      if (!isAbsent) failures += 1;
      console.log(`${isAbsent ? 'absent' : 'FAILED'} ${name.padEnd(24)}${error.message}`);
    }
  }
} finally {
  await web.stop();
  remove();
  if (folderAt < 0) rmSync(FOLDER, { recursive: true, force: true });
}
console.log(`integrations: ${failures === 0 ? 'PASSED' : `FAILED (${failures})`}`);
process.exitCode = failures === 0 ? 0 : 1;
