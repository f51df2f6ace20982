// `npm run bench -- guide [--old COMMIT] [--keep]`: runs every command of docs/installing.md in a clean Debian 13, in its order, and
// prints a line for each block; the last line is the verdict. What is built first is COMMIT (this one, if none is named), so that the
// update is one from an older version. While a section says that nothing pauses, pages are asked for without a break.
// Needs root, debootstrap, git and pip, and the ports 80, 3000 and 3001. There is no systemd in a folder: units are run by `systemctl` of the
// Python package docker-systemctl-replacement, which reads ExecStart, User, Environment and the like, and not the protections.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const source = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const DEBIAN = 'http://deb.debian.org/debian';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** The section in which no request may fail. */
const WITHOUT_PAUSE = 'Update without a pause';
/** The section from which on the newer version is cloned. */
const UPDATE = 'Update';

const { values } = parseArgs({
  options: { old: { type: 'string', default: 'HEAD' }, keep: { type: 'boolean' } },
});

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? stderr.slice(-2000)}`);
  return stdout;
}

/** The commands of the page. @returns their blocks with the heading above each */
function blocksOf(text) {
  const blocks = [];
  let section = '';
  for (const [, heading, commands] of text.matchAll(/^## (.+)$|^```sh\n([^]*?)^```$/gm))
    if (heading) section = heading;
    else blocks.push({ section, commands });
  return blocks;
}

const root = mkdtempSync(path.join(tmpdir(), 'vialbook-guide-'));
const inRoot = (name) => path.join(root, name);
chmodSync(root, 0o755);

/** A clean Debian, with what a folder lacks to be a machine: name servers, certificates of this network, `systemctl`. */
function makeRoot() {
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'trixie', root, DEBIAN]);
  copyFileSync('/etc/resolv.conf', inRoot('etc/resolv.conf'));
  if (existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, inRoot(CERTIFICATES));
  writeFileSync(inRoot('usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const wheel = inRoot('tmp/wheel');
  run('python3', [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--dest',
    wheel,
    'docker-systemctl-replacement',
  ]);
  run('python3', ['-m', 'zipfile', '--extract', path.join(wheel, readdirSync(wheel)[0]), wheel]);
  copyFileSync(path.join(wheel, 'systemctl2/systemctl3.py'), inRoot('usr/local/bin/systemctl'));
  chmodSync(inRoot('usr/local/bin/systemctl'), 0o755);
  for (const [name, commit] of [
    ['old', values.old],
    ['new', 'HEAD'],
  ]) {
    run('git', ['clone', '--quiet', '--no-checkout', source, inRoot(`source-${name}`)]);
    run('git', ['-C', inRoot(`source-${name}`), 'checkout', '--quiet', '-B', 'main', commit]);
  }
}

/** The program that runs the blocks one after the other, says where it is, and ends at the first that fails. */
function writeDriver(blocks) {
  mkdirSync(inRoot('guide'));
  let driver = '#!/bin/bash\nexport DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8\n';
  let isUpdating = false;
  for (const [index, { section, commands }] of blocks.entries()) {
    isUpdating ||= section === UPDATE;
    writeFileSync(
      inRoot(`guide/${index}.sh`),
      `set -euo pipefail\nexport SOURCE=/source-${isUpdating ? 'new' : 'old'}\n${commands}`,
    );
    driver += `echo "@begin ${index}"\nbash /guide/${index}.sh > /guide/${index}.log 2>&1 < /dev/null; code=$?\necho "@end ${index} $code"\n[ $code = 0 ] || exit $code\n`;
  }
  writeFileSync(inRoot('guide/all.sh'), driver);
}

/** Asks for a page until told to stop. @returns how many answers there were, and which were not 200 */
async function asking(isOver) {
  let asked = 0;
  const failed = [];
  while (!isOver()) {
    asked += 1;
    const status = await fetch('http://localhost/', { headers: { connection: 'close' } }).then(
      async (answer) => (await answer.text(), answer.status),
      (error) => error.cause?.code ?? error.message,
    );
    if (status !== 200) failed.push(status);
    await wait(20);
  }
  return { asked, failed };
}

let failures = 0;
try {
  makeRoot();
  const blocks = blocksOf(readFileSync(path.join(source, 'docs/installing.md'), 'utf8'));
  writeDriver(blocks);
  for (const name of ['proc', 'dev', 'sys']) run('mount', ['--rbind', `/${name}`, inRoot(name)]);
  // When the driver ends, so does everything that it started.
  const driver = spawn(
    'unshare',
    [
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc=' + inRoot('proc'),
      'chroot',
      root,
      '/usr/bin/env',
      '-i',
      'HOME=/root',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
      'bash',
      '/guide/all.sh',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let visits = null;
  let isOver = false;
  let begun = 0;
  let seen = 0;
  for await (const line of createInterface({ input: driver.stdout })) {
    const [word, number, code] = line.split(' ');
    if (!word.startsWith('@')) continue;
    const { section, commands } = blocks[Number(number)];
    // Its first block sets everything up; from the second on nothing may pause.
    const isWatched = section === WITHOUT_PAUSE && blocks[Number(number) - 1]?.section === section;
    if (word === '@begin') {
      begun = Date.now();
      isOver = false;
      visits = isWatched ? asking(() => isOver) : null;
      continue;
    }
    seen += 1;
    isOver = true;
    const took = `${((Date.now() - begun) / 1000).toFixed(0)} s`;
    const visited = visits && (await visits);
    const bad = Number(code) !== 0 || (visited && (visited.failed.length > 0 || visited.asked < 5));
    if (bad) failures += 1;
    console.log(
      `${bad ? 'FAILED' : 'ok    '}  ${section}: ${commands.split('\n')[0].slice(0, 70)} (${took}${visited ? `; ${visited.asked} pages, ${visited.failed.length} failed ${visited.failed.join(' ')}` : ''})`,
    );
    if (bad) console.log(readFileSync(inRoot(`guide/${number}.log`), 'utf8').slice(-3000));
  }
  if (seen !== blocks.length) failures += 1;
  console.log(`${seen} of ${blocks.length} blocks ran, ${failures} failed`);
} finally {
  for (const name of ['sys', 'dev', 'proc']) spawnSync('umount', ['--recursive', '--lazy', inRoot(name)]);
  if (values.keep) console.log(root);
  else rmSync(root, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;
