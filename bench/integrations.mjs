// Other people's tools against a running server: checkers and client generators for the API's document, and clients of MCP.
//   npm run build && npm run bench -- integrations [redocly spectral go …] [--folder DIR]
// Installs each tool from its registry into a folder of its own (--folder keeps it for the next run) and prints one line for each. A tool
// that cannot be had says so, which is no failure. It needs npx, and Python, Go and Java for their tools.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PASSWORD, registerPeople, signIn } from './load/people.mjs';
import { newFolder, startWeb } from './load/processes.mjs';

const folderAt = process.argv.indexOf('--folder');
const FOLDER =
  folderAt < 0 ? mkdtempSync(path.join(tmpdir(), 'vialbook-tools-')) : process.argv[folderAt + 1];
const PATIENCE_MS = 600_000;
/** The same for thousands of calls, or dozens of pages. */
const LONG_MS = 2_400_000;
const ROOT = path.dirname(import.meta.dirname);
const CLI = path.join(ROOT, 'build/cli/main.js');
/** How many calls a generated client makes. */
const CALLS = 12;

/** Why a tool could not be tried. */
class Unavailable extends Error {}

/** Runs a command. @returns its output @throws Error with the end of the output, unless its exit code is 0 or accepted */
function run(command, args, { cwd = FOLDER, env = {}, accepts = [], patience = PATIENCE_MS } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', ...env },
      timeout: patience,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 || accepts.includes(code)
        ? resolve(output)
        : reject(new Error(output.trim().slice(-1500) || `exit code ${code}`)),
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
const [person, tried] = await registerPeople(web.port, 2);
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

/** Calls whatever reads without arguments, in the client of openapi-generator for Python. */
const GENERATED_PYTHON_CALLS = `
import importlib, inspect, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import openapi_client
from openapi_client.exceptions import ApiException
client = openapi_client.ApiClient(openapi_client.Configuration(host=sys.argv[2], access_token=sys.argv[3]))
done = []
for module in pkgutil.iter_modules(importlib.import_module("openapi_client.api").__path__):
    classes = vars(importlib.import_module("openapi_client.api." + module.name)).items()
    for api in [kind(client) for name, kind in classes if name.endswith("Api")]:
        for name, call in inspect.getmembers(api, inspect.ismethod):
            needed = [p for p in inspect.signature(call).parameters.values() if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
            if not name.startswith(("get_", "list_")) or name.endswith(("_info", "_content")) or needed or len(done) >= ${CALLS}:
                continue
            try:
                assert call() is not None, name
                done.append(name)
            except ApiException as error:
                assert error.status in (402, 403), (name, error)
assert len(done) == ${CALLS}, done
print(len(done), "calls")
`;

/** The same for Java. What a call needs is said by its exception. */
const GENERATED_JAVA_CALLS = `
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;

public class Calls {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(args[0]).addDefaultHeader("Authorization", "Bearer " + args[1]);
    int done = 0;
    for (String file : new File("src/main/java/org/openapitools/client/api").list()) {
      Class<?> kind = Class.forName("org.openapitools.client.api." + file.replace(".java", ""));
      Object api = kind.getConstructor(ApiClient.class).newInstance(client);
      for (Method method : kind.getMethods()) {
        String name = method.getName();
        if (done >= ${CALLS} || !name.matches("(get|list)[A-Z].*") || name.matches(".*(Async|Call|WithHttpInfo|BaseUrl|HostIndex|ApiClient|Class)")) continue;
        try {
          if (method.invoke(api, new Object[method.getParameterCount()]) == null) throw new Exception(name + " has no answer");
          done++;
        } catch (InvocationTargetException thrown) {
          ApiException error = (ApiException) thrown.getCause();
          boolean isNotMeant = error.getCode() == 402 || error.getCode() == 403 || String.valueOf(error.getMessage()).contains("Missing the required parameter");
          if (!isNotMeant) throw error;
        }
      }
    }
    if (done < ${CALLS}) throw new Exception(done + " calls only");
    System.out.println(done + " calls");
    System.exit(0);
  }
}
`;

/** The same for Go. */
const GENERATED_GO_CALLS = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"

	openapi "generated"
)

func main() {
	settings := openapi.NewConfiguration()
	settings.Servers = openapi.ServerConfigurations{{URL: os.Args[1]}}
	settings.AddDefaultHeader("Authorization", "Bearer "+os.Args[2])
	client, done := reflect.ValueOf(openapi.NewAPIClient(settings)).Elem(), 0
	for i := 0; i < client.NumField(); i++ {
		if !strings.HasSuffix(client.Type().Field(i).Name, "API") {
			continue
		}
		api := client.Field(i)
		for j := 0; j < api.NumMethod() && done < ${CALLS}; j++ {
			name := api.Type().Method(j).Name
			if strings.HasSuffix(name, "Execute") || !(strings.HasPrefix(name, "Get") || strings.HasPrefix(name, "List")) || api.Method(j).Type().NumIn() != 1 {
				continue
			}
			request := api.Method(j).Call([]reflect.Value{reflect.ValueOf(context.Background())})[0]
			answer := request.MethodByName("Execute").Call(nil)
			response := answer[len(answer)-2].Interface().(*http.Response)
			if response != nil && (response.StatusCode == 402 || response.StatusCode == 403) {
				continue
			}
			if failed := answer[len(answer)-1]; !failed.IsNil() || answer[0].IsNil() {
				panic(fmt.Sprint(name, " ", failed))
			}
			done++
		}
	}
	if done < ${CALLS} {
		panic(done)
	}
	fmt.Println(done, "calls")
}
`;

/** Compiles the client of openapi-generator and makes its calls. @returns "12 calls" */
async function javaCalls(folder) {
  const cwd = path.join(folder, 'java');
  writeFileSync(path.join(cwd, 'src/main/java/Calls.java'), GENERATED_JAVA_CALLS);
  await fetchTool('mvn', ['-q', '-B', 'dependency:resolve'], { cwd });
  const program = 'org.codehaus.mojo:exec-maven-plugin:3.5.0:java';
  const args = ['-Dexec.mainClass=Calls', `-Dexec.args=${origin} ${token}`];
  return count(
    await run('mvn', ['-q', '-B', '-DskipTests', 'compile', program, ...args], { cwd }),
    /\d+ calls/,
  );
}

async function pythonCalls(folder) {
  const packages = ['urllib3', 'python-dateutil', 'pydantic', 'typing-extensions'];
  const bin = await python('openapi-generator-python', ...packages);
  const out = path.join(folder, 'python');
  await run(path.join(bin, 'python'), ['-m', 'compileall', '-q', out]);
  const file = path.join(folder, 'calls.py');
  writeFileSync(file, GENERATED_PYTHON_CALLS);
  return count(await run(path.join(bin, 'python'), [file, out, origin, token]), /\d+ calls/);
}

async function goCalls(folder) {
  const cwd = path.join(folder, 'go-calls');
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'main.go'), GENERATED_GO_CALLS);
  await run('go', ['mod', 'edit', '-module', 'generated'], { cwd: path.join(folder, 'go') });
  // Its own tests name the place that it is meant to be published at.
  rmSync(path.join(folder, 'go/test'), { recursive: true, force: true });
  await fetchTool('go', ['mod', 'tidy'], { cwd: path.join(folder, 'go') });
  await run('go', ['mod', 'init', 'calls'], { cwd });
  await run('go', ['mod', 'edit', '-replace', 'generated=../go', '-require', 'generated@v0.0.0'], { cwd });
  await fetchTool('go', ['mod', 'tidy'], { cwd });
  await run('go', ['build', '-o', 'calls', '.'], { cwd });
  return count(await run(path.join(cwd, 'calls'), [origin, token]), /\d+ calls/);
}

/** What Schemathesis calls a failure and is meant so, each with its reason. */
const MEANT = [
  [/ST202[\s\S]*\[412\]/, 'an ETag that was made up is not the current one'],
  [/ST202[\s\S]*This is no cursor of this list/, 'a cursor is what an answer gave'],
  [
    /ST202[\s\S]*(?:Choose a supplier|This vial (?:is measured in|holds))/,
    'it names a record that there is not, or that does not fit',
  ],
  [/ST202[\s\S]*REGISTRATION_FAILED/, 'the address has an account already, which nobody is told'],
  [/ST202[\s\S]*is not an Apple Health export/, 'what is in a file, no schema says'],
  [/ST202[\s\S]*host name of this address could not be found/, 'there is no such host'],
  [/ST202[\s\S]*The end must not be before/, 'a period’s two days are in order'],
  [/ST201[\s\S]*in query[\s\S]*[?&]\w+=(?:[&'\s]|$)/, 'an empty parameter counts as none, as forms send it'],
  [/\[431\]/, 'Node refuses an address of more than 16 kB before the program sees it'],
];

/**
 * Runs all checks of Schemathesis with all calls that `which` leaves.
 * @throws Error with the failures that are not meant
 */
async function tryEverything(bin, bearer, which, who) {
  const options = ['--phases', 'examples,coverage,fuzzing', '--max-examples', '10', '--continue-on-failure'];
  const always = ['--seed', '1', '--generation-deterministic', '--no-color', '--header'];
  const all = ['run', `${origin}/api/openapi.json`, ...always, `Authorization: Bearer ${bearer}`];
  const output = await run(path.join(bin, 'schemathesis'), [...all, ...options, ...which], {
    accepts: [1],
    patience: LONG_MS,
  });
  const failures = output.split(/^\d+\. Test Case ID:/m).slice(1);
  const unmeant = failures.filter((text) => !MEANT.some(([pattern]) => pattern.test(text)));
  if (unmeant.length > 0)
    throw new Error(
      `${who}: ${unmeant.length} failures\n${unmeant.map((text) => text.slice(0, 1500)).join('\n')}`,
    );
  const cases = count(output, /\d+ generated/);
  return `${who}: ${cases}, ${failures.length} meant so`;
}

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
    const calls = { java: await javaCalls(cwd), python: await pythonCalls(cwd), go: await goCalls(cwd) };
    return languages.map((language) => `${language} compiles, ${calls[language]}`).join('; ');
  },
  async schemathesis() {
    const bin = await python('schemathesis', 'schemathesis');
    const root = { email: 'root@example.org' };
    const env = { DATA_DIR, VIALBOOK_PASSWORD: PASSWORD };
    await run(process.execPath, [CLI, 'admin', 'create', root.email], { env });
    await run(process.execPath, [CLI, 'admin', 'demo', tried.email], { env });
    const found = [];
    // Whoever calls these is signed out; the calls of administrators have a run of their own.
    const others = ['--exclude-operation-id', 'logout', '--exclude-operation-id', 'changePassword'];
    const asPerson = [...others, '--exclude-path-regex', '^/api/admin'];
    const { token: triedToken } = await signIn(web.port, tried);
    found.push(await tryEverything(bin, triedToken, asPerson, 'premium'));
    const { token: adminToken } = await signIn(web.port, root);
    found.push(await tryEverything(bin, adminToken, ['--include-path-regex', '^/api/admin'], 'admin'));
    return found.join('; ');
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
  async vnu() {
    const output = await run(process.execPath, ['bench/html.mjs'], { cwd: ROOT, patience: LONG_MS });
    return count(output, /\d+ pages, \d+ kinds of errors/);
  },
  async shells() {
    const file = 'tests/integration/cli/completion.test.ts';
    const args = ['vitest', 'run', '--project', 'integration', file, '--reporter', 'json'];
    const output = await run('npx', args, { cwd: ROOT });
    const { testResults } = JSON.parse(output.slice(output.indexOf('{"num')));
    const tried = testResults.flatMap(({ assertionResults }) => assertionResults);
    const said = [];
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const [one] = tried.filter(({ title }) => title.startsWith(`in ${shell} offers commands`));
      const grammar = shell === 'powershell' ? `, ${await powershellGrammar()}` : '';
      said.push(one?.status === 'passed' ? `${shell} completes` : `${shell} is not installed${grammar}`);
    }
    return said.join(', ');
  },
};

const POWERSHELL_GRAMMAR = `
import { readFileSync } from 'node:fs';
import { Language, Parser } from 'web-tree-sitter';
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load('node_modules/tree-sitter-powershell/tree-sitter-powershell.wasm'));
if (parser.parse(readFileSync('completion.ps1', 'utf8')).rootNode.hasError) throw new Error('no PowerShell');
`;

/** Reads the completion for PowerShell by its grammar, since PowerShell itself is in none of these registries. */
async function powershellGrammar() {
  await npm('powershell', 'tree-sitter-powershell', 'web-tree-sitter');
  const cwd = folderOf('powershell');
  writeFileSync(path.join(cwd, 'parse.mjs'), POWERSHELL_GRAMMAR);
  const script = await run(process.execPath, [CLI, 'completion', 'powershell']);
  writeFileSync(path.join(cwd, 'completion.ps1'), script);
  await run(process.execPath, ['parse.mjs'], { cwd });
  return 'its script has no syntax error';
}

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

/** A personal token that may write. It takes a recent sign-in, and the run may be long. */
async function personalToken() {
  const { token: recent } = await signIn(web.port, person);
  const answer = await fetch(`${origin}/api/profile/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${recent}` },
    body: JSON.stringify({ name: 'Tools', scope: 'write', life: '30' }),
  });
  return (await answer.json()).data.token;
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
