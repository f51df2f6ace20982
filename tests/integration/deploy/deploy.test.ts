import { spawnSync } from 'node:child_process';
import { createServer, get, type Server } from 'node:http';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodyLimit, MAX_BODY_BYTES } from '#app/platform/http/request-rules.ts';
import { KEEP_ALIVE_MS } from '#app/server/listen.server.ts';
import { freePort } from '#tests/support/server.ts';
import { hasNginx, startNginx } from '../../../scripts/nginx.mjs';
import { serverEnvironment } from '#cli/commands/serve.ts';
import { environmentSchema } from '#app/domain/settings/settings.ts';

const read = (name: string): string => readFileSync(`deploy/${name}`, 'utf8');
const SETTINGS = new Set(Object.keys(environmentSchema.shape));
const withoutComments = (text: string): string[] =>
  text.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
const settingsIn = (text: string): string[] =>
  [...text.matchAll(/\b([A-Z]+(?:_[A-Z]+)*)(?==|: )/g)].map(([, name = '']) => name);
/** Words in capitals that are not settings of ours. */
const OTHERS = new Set([
  'CMD',
  'FROM',
  'VOLUME',
  'USER',
  'LISTEN',
  'NODE_IMAGE',
  'BUILDPLATFORM',
  'TZ',
  'MALLOC_ARENA_MAX',
  'MALLOC_TRIM_THRESHOLD_',
  'MONGO_INITDB_ROOT_USERNAME',
  'MONGO_INITDB_ROOT_PASSWORD',
]);

describe('the Dockerfile', () => {
  const lines = withoutComments(read('Dockerfile'));
  const of = (word: string) => lines.filter((line) => line.startsWith(`${word} `));

  it('uses only existing instructions', () => {
    const known = /^(ARG|FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|CMD) \S/;
    for (const line of lines) expect(line).toMatch(known);
    for (const line of [...of('CMD'), ...of('HEALTHCHECK')])
      expect(() => JSON.parse(line.slice(line.indexOf('[')))).not.toThrow();
  });

  it('copies only existing files, and everything the build reads', () => {
    const sources = of('COPY')
      .filter((line) => !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    for (const source of sources) expect(existsSync(source), source).toBe(true);
    const allowed = withoutComments(read('Dockerfile.dockerignore'))
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect([...new Set(sources)].toSorted()).toEqual(allowed.toSorted());
  });

  it('copies every file that the build imports', () => {
    const copied = of('COPY')
      .filter((line) => !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    const isCopied = (file: string) => copied.some((one) => file === one || file.startsWith(`${one}/`));
    const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      imports: Record<string, string | { default: string }>;
    };
    const targetOf = (to: string | { default: string }) => (typeof to === 'string' ? to : to.default);
    const own = (specifier: string) =>
      Object.entries(imports).flatMap(([key, to]) =>
        key.endsWith('/*') && specifier.startsWith(key.slice(0, -1))
          ? [path.normalize(targetOf(to).replace('*', specifier.slice(key.length - 1)))]
          : [],
      )[0];
    const left = ['scripts/build.mjs', 'vite.config.ts', 'remix.config.js'];
    for (const folder of ['app', 'cli', 'models'])
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
        if (/\.(tsx?|mjs|js)$/.test(name)) left.push(`${folder}/${name}`);
    const seen = new Set<string>();
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      expect(isCopied(file), file).toBe(true);
      const code = readFileSync(file, 'utf8').replace(/\?(raw|url)(?=')/g, '');
      for (const [, specifier = ''] of code.matchAll(/(?:from|import\(|import) ?'([.#][^']+)'/g)) {
        const target = specifier.startsWith('#')
          ? own(specifier)
          : path.normalize(path.join(path.dirname(file), specifier));
        if (target !== undefined && existsSync(target)) left.push(target);
      }
    }
    expect(seen.size).toBeGreaterThan(500);
    expect([...seen]).toContain('scripts/build-service-worker.mjs');
  });

  it('uses a supported Node version and an unprivileged user, and starts the server directly', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    expect(engines.node).toBe('>=20.19');
    // By digest, because a tag can be moved to another image.
    const [, image = ''] =
      /^ARG NODE_IMAGE=(node:24-bookworm-slim)@sha256:[0-9a-f]{64}$/.exec(of('ARG').join('\n')) ?? [];
    expect(image).not.toBe('');
    // The commands that determine the digest use the same image.
    for (const text of [readFileSync('deploy/Dockerfile', 'utf8'), readFileSync('docs/operating.md', 'utf8')])
      expect(new Set(text.match(/\bnode:\d[\w.-]*/g))).toEqual(new Set([image]));
    // What is built is the same everywhere; packages and the image are of the platform that is asked for.
    expect(of('FROM')).toEqual([
      'FROM --platform=${BUILDPLATFORM} ${NODE_IMAGE} AS build',
      'FROM --platform=${TARGETPLATFORM} ${NODE_IMAGE} AS packages',
      'FROM --platform=${TARGETPLATFORM} ${NODE_IMAGE}',
    ]);
    expect(of('COPY').filter((line) => /--from=build.*node_modules/.test(line))).toEqual([]);
    expect(of('USER')).toEqual(['USER node']);
    expect(of('CMD')).toEqual(['CMD ["node", "build/web/server.js"]']);
  });
});

it('every setting named in the deployment files exists', () => {
  for (const name of readdirSync('deploy')) {
    const named = withoutComments(read(name)).flatMap((line) => settingsIn(line));
    for (const setting of named)
      if (!OTHERS.has(setting)) expect(SETTINGS, `${name}: ${setting}`).toContain(setting);
  }
});

it('compose: required settings are required, indentation is even, each name is defined', () => {
  const text = read('compose.cluster.yaml');
  for (const line of withoutComments(text)) expect(line).toMatch(/^(?: {2})*\S/);
  expect(text).not.toContain('\t');
  for (const name of ['SESSION_SECRET', 'VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'])
    expect(text).toContain(`${name}: \${${name}:?`);
  for (const [, alias = ''] of text.matchAll(/\*([a-z]+)/g)) expect(text).toContain(`&${alias}`);
  for (const [, file = ''] of text.matchAll(/- \.\/(\S+?):/g))
    expect(existsSync(`deploy/${file}`), file).toBe(true);
});

it('compose: one container with one volume for its data is enough, and sells nothing', () => {
  const text = read('compose.yaml');
  const lines = withoutComments(text);
  for (const line of lines) expect(line).toMatch(/^(?: {2})*\S/);
  expect(lines.filter((line) => /^ {2}\w+:$/.test(line))).toEqual(['  vialbook:', '  data:']);
  // Nothing has to be set before it starts.
  expect(text).not.toContain(':?');
  expect(text).toContain("- '${LISTEN:-127.0.0.1:3000}:3000'");
  expect(text).toContain('BILLING: ${BILLING:-off}');
  const [, directory = ''] = /^ {6}- data:(\S+)$/m.exec(text) ?? [];
  expect(read('Dockerfile')).toContain(`DATA_DIR=${directory}\n`);
});

it('compose: listens only on this machine, and counts the proxies in front of the server', () => {
  const text = read('compose.cluster.yaml');
  expect(text).toContain("- '${LISTEN:-127.0.0.1:80}:80'");
  expect(text).toContain('TRUST_PROXY: ${TRUST_PROXY:-1}');
});

it('backups: the volume belongs to the image’s user, and systemd lets the worker write to it', () => {
  const [, directory = ''] = /BACKUP_DIR: (\S+)/.exec(read('compose.cluster.yaml')) ?? [];
  expect(read('compose.cluster.yaml')).toContain(`- backups:${directory}`);
  const made = /^RUN install -d -o node -g node -m 0700 (.*)$/m.exec(read('Dockerfile'))?.[1]?.split(' ');
  expect(made).toContain(directory);
  for (const unit of ['vialbook.service', 'vialbook-worker.service'])
    expect(read(unit)).toMatch(/^ReadWritePaths=-\/var\/backups\/vialbook$/m);
});

it('the compose database has a password that is in no file, and cannot be reached from outside', () => {
  const text = read('compose.cluster.yaml');
  expect(text).toMatch(/MONGODB_URI: mongodb:\/\/vialbook:\$\{MONGO_PASSWORD:\?[^}]+\}@mongo:27017\//);
  expect(text).toContain('MONGO_INITDB_ROOT_PASSWORD: ${MONGO_PASSWORD}');
  expect(text).toContain('--keyFile');
  expect(text.match(/^ {4}ports:/gm)).toHaveLength(1);
});

it('compose names images of others by digest', () => {
  const images = [...read('compose.cluster.yaml').matchAll(/^ {4}image: (.*)$/gm)].map(([, image]) => image);
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/^(nginx|mongo):[\w.-]+@sha256:[0-9a-f]{64}$/);
});

/** The elements of a template that Unraid's docker manager reads (`xmlToVar` in its Helpers.php), and its attributes of a setting. */
const UNRAID =
  'Name Repository Registry Network MyIP MyMAC Shell Privileged Support Project ReadMe Overview Category WebUI TemplateURL Icon ExtraParams Config';
const UNRAID_SETTING = 'Name Target Default Mode Description Type Display Required Mask';

it('the template for Unraid has what its docker manager reads, and settings and paths of ours', () => {
  const xml = read('unraid.xml').replace(/<!--[^]*?-->/, '');
  expect(xml).toMatch(/<Container version="2">[^]*<\/Container>\s*$/);
  const elements = [...xml.matchAll(/<(\w+)[ >/]/g)].map(([, name = '']) => name).slice(1);
  for (const element of elements) expect(UNRAID.split(' '), element).toContain(element);
  const settings = [...xml.matchAll(/<Config ([^>]*?)(?:\/>|>([^<]*)<\/Config>)/g)].map(
    ([, attributes = '', value = '']) => ({
      ...Object.fromEntries(
        [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, text]) => [name, text]),
      ),
      value,
    }),
  ) as Array<Record<string, string>>;
  for (const setting of settings) {
    expect(Object.keys(setting)).toEqual([...UNRAID_SETTING.split(' '), 'value']);
    expect(setting['Default']).toBe(setting['value']);
    expect(['always', 'always-hide', 'advanced', 'advanced-hide']).toContain(setting['Display']);
    if (setting['Type'] === 'Variable') expect(SETTINGS).toContain(setting['Target']);
  }
  const of = (type: string) => settings.filter((setting) => setting['Type'] === type);
  expect(of('Port').map((setting) => setting['Target'])).toEqual(['3000']);
  // The folder is Unraid's and open to its users; the data is in one below it, which the server makes for itself.
  const [folder] = of('Path');
  const data = settings.find((setting) => setting['Target'] === 'DATA_DIR')?.value ?? '';
  expect(path.dirname(data)).toBe(folder?.['Target']);
  expect(xml).toContain('--user 99:100');
});

it('the template for CasaOS names the container, its port, its volume and its own fields as the store asks', () => {
  const text = read('casaos.yaml');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  // The store accepts no image named latest.
  expect(text).toContain(`image: registry.example.org/vialbook:${version}\n`);
  expect(read('unraid.xml')).toContain(`<Repository>registry.example.org/vialbook:${version}<`);
  expect(text).toMatch(/^name: [a-z0-9_-]+$/m);
  const own = text.slice(text.search(/^x-casaos:/m));
  expect(own).toMatch(/^ {2}id: [a-z0-9]+(\.[a-z0-9]+)+$/m);
  for (const field of [
    'main',
    'index',
    'port_map',
    'scheme',
    'title',
    'icon',
    'tagline',
    'description',
    'tips',
  ])
    expect(own).toMatch(new RegExp(`^ {2}${field}:`, 'm'));
  for (const field of ['author', 'developer', 'category', 'architectures'])
    expect(own).toMatch(new RegExp(`^ {2}${field}: \\S`, 'm'));
  expect(own).toContain('architectures: [amd64, arm64]');
  const [, data = ''] = /^ENV .*DATA_DIR=(\S+)/m.exec(read('Dockerfile')) ?? [];
  expect(text).toContain(`target: ${data}\n`);
});

it('the rules for alerts name metrics that are there, and each waits', () => {
  const rules = read('alerts.yaml');
  const metrics = readFileSync('app/features/system/metrics-pages.server.ts', 'utf8');
  const named = new Set(rules.match(/\b(vialbook|http)_[a-z_]+/g));
  expect(named.size).toBeGreaterThan(4);
  for (const name of named) expect(metrics, name).toContain(`'${name}'`);
  const count = (pattern: RegExp) => rules.match(pattern)?.length;
  expect(count(/^ {8}for: \d+m$/gm)).toBe(count(/^ {6}- alert:/gm));
});

it('the unit closes a data directory that an older version left open, before the server starts', () => {
  for (const name of ['vialbook.service', 'vialbook-worker.service']) {
    const unit = read(name);
    const [, directory = ''] = /^Environment=DATA_DIR=(\S+)$/m.exec(unit) ?? [];
    expect(unit).toContain(`ExecStartPre=+/usr/bin/chmod -R go-rwx ${directory}\nExecStart=`);
  }
});

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

it.each(Object.entries(scripts))('npm run %s is the same in every shell', (_name, command) => {
  // `exec` is a word of sh, and on Windows a file of ours.
  expect(command).toMatch(/^[a-z]+( [\w./=-]+)*$/);
  expect(existsSync('exec.cmd')).toBe(true);
});

it('every way to start the server configures the allocator to return threads’ memory', () => {
  expect(scripts['start']).toBe('exec node build/cli/main.js serve');
  const started = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
  expect(serverEnvironment({}, {})).toMatchObject(started);
  const chosen = { MALLOC_ARENA_MAX: '8', PORT: '1' };
  expect(serverEnvironment(chosen, { port: '2' })).toMatchObject({ MALLOC_ARENA_MAX: '8', PORT: '2' });
  const both = 'MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072';
  expect(read('Dockerfile')).toContain(`ENV ${both}`);
  for (const unit of ['vialbook.service', 'vialbook-worker.service'])
    expect(read(unit)).toContain(`Environment=${both}`);
});

describe('nginx', () => {
  const lines = withoutComments(read('nginx.conf'));

  it('has complete directives and blocks', () => {
    let depth = 0;
    for (const line of lines) {
      expect(line).toMatch(/(;|\{|\})$/);
      depth += line.endsWith('{') ? 1 : line.endsWith('}') ? -1 : 0;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
  });

  it('passes on what the server accepts, with the client’s address', () => {
    const text = lines.join('\n');
    const most = Math.max(MAX_BODY_BYTES, bodyLimit('/api/side-effects/x/images'));
    expect(text).toContain(`client_max_body_size ${most / 1024 / 1024}m;`);
    for (const header of ['Host', 'X-Forwarded-For', 'X-Forwarded-Proto', 'X-Request-Id'])
      expect(text).toContain(`proxy_set_header ${header} `);
    // With its port, because a form's origin is compared with it.
    expect(text).toContain('proxy_set_header Host $http_host;');
  });

  it('passes on an import of the full size', () => {
    const [, pattern = '', block = ''] = /location ~ (\S+) \{([^}]*)\}/.exec(lines.join('\n')) ?? [];
    for (const address of ['/dashboard/import', '/dashboard/import.data', '/api/import']) {
      expect(address).toMatch(new RegExp(pattern));
      expect(block).toContain(`client_max_body_size ${bodyLimit(address) / 1024 / 1024}m;`);
    }
    expect(block).toContain('proxy_pass http://vialbook;');
    expect('/dashboard/import/undo').not.toMatch(new RegExp(pattern));
  });

  it('removes client headers that the server would believe to be the proxy’s', () => {
    const text = lines.join('\n');
    for (const header of ['X-Forwarded-Host', 'X-Forwarded-Port', 'Forwarded'])
      expect(text).toContain(`proxy_set_header ${header} "";`);
    // Setting a header in a location drops those of the surrounding server.
    for (const [, block = ''] of text.matchAll(/location [^{]*\{([^}]*)\}/g))
      expect(block).not.toContain('proxy_set_header');
  });

  it.runIf(hasNginx)(
    'answers for the metrics itself, in every spelling, and passes on the rest',
    async () => {
      const passedOn: string[] = [];
      const server = createServer(({ url = '' }, response) => {
        passedOn.push(url);
        response.end();
      });
      const port = await freePort();
      await once(server.listen(port, '127.0.0.1'), 'listening');
      const nginx = await startNginx(await freePort(), [port]);
      const statusOf = (at: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          get({ port: new URL(nginx.url).port, host: '127.0.0.1', path: at, agent: false }, (answer) => {
            answer.resume().once('end', () => resolve(answer.statusCode));
          }).once('error', reject);
        });
      const spellings = ['', '/', '?', '/?a=b', '.data', '/x'].map((end) => `/metrics${end}`);
      for (const at of [
        ...spellings,
        '/METRICS',
        '/Metrics/',
        '/%6detrics',
        '//metrics',
        '/./metrics',
        '/a/../metrics',
      ])
        expect(await statusOf(at), at).toBe(404);
      expect(passedOn).toEqual([]);
      expect(await statusOf('/calculator')).toBe(200);
      expect(passedOn).toEqual(['/calculator']);
      await nginx.stop();
      server.close();
    },
  );

  it.runIf(hasNginx)('two servers that restart one after the other are no outage', async () => {
    const answers = () => createServer((_request, response) => response.end('ok'));
    const ports = [await freePort(), await freePort()] as const;
    const start = async (port: number) => {
      const server = answers();
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return server;
    };
    const stop = async (server: Server) => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    const nginx = await startNginx(await freePort(), ports);
    const statuses = () =>
      Promise.all(Array.from({ length: 8 }, () => fetch(nginx.url).then(({ status }) => status)));
    const allWell = Array<number>(8).fill(200);
    const running = [await start(ports[0]), await start(ports[1])] as const;
    await stop(running[0]);
    expect(await statuses()).toEqual(allWell);
    const first = await start(ports[0]);
    await stop(running[1]);
    expect(await statuses()).toEqual(allWell);
    await stop(first);
    await nginx.stop();
  });

  it('resolves the containers’ addresses again', () => {
    const text = lines.join('\n');
    expect(text).toMatch(/^resolver 127\.0\.0\.11 valid=\d+s/m);
    expect(text).toMatch(/zone \w+ \d+k;\n\s+server web:3000 resolve /);
  });
});

it('an idle connection is closed by the proxy before the server closes it', () => {
  const text = read('nginx.conf');
  const upstream = /upstream \w+ \{([^}]*)\}/.exec(text)?.[1] ?? '';
  expect(upstream).toMatch(/^\s*keepalive \d+;/m);
  const seconds = Number(/keepalive_timeout (\d+)s;/.exec(upstream)?.[1]);
  expect(seconds).toBeGreaterThan(0);
  expect(KEEP_ALIVE_MS).toBeGreaterThan(seconds * 1000);
});

describe('systemd', () => {
  const units = readdirSync('deploy').filter((name) => name.endsWith('.service'));

  it('units start files that the build creates, and wait longer than a graceful stop takes', () => {
    expect(units).toHaveLength(2);
    for (const unit of units) {
      const text = read(unit);
      for (const line of withoutComments(text))
        expect(line).toMatch(/^(\[[A-Z][a-z]+\]|[A-Z][A-Za-z]+=\S.*)$/);
      expect(text).toMatch(/^ExecStart=\/usr\/bin\/node build\/(web\/server|cli\/main)\.js/m);
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10);
    }
  });

  it.skipIf(!existsSync('/usr/bin/systemd-analyze'))('units are valid for systemd', () => {
    for (const unit of units) {
      const { stderr } = spawnSync('systemd-analyze', ['verify', `deploy/${unit}`], { encoding: 'utf8' });
      const complaints = stderr
        .split('\n')
        .filter((line) => line.includes(unit) && !/Command .* is not executable|not-found/i.test(line));
      expect(complaints).toEqual([]);
    }
  });
});
