// Runs the system's nginx with deploy/nginx.conf in front of servers on this machine, for tests and load runs.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const NGINX = '/usr/sbin/nginx';

/** Whether nginx is installed, as Debian does it. */
export const hasNginx = existsSync(NGINX);

/**
 * The shipped configuration outside Docker, as its comments describe: no name server, and the servers' own addresses.
 * @param {number} port
 * @param {readonly number[]} servers
 */
function siteConfig(port, servers) {
  const shipped = readFileSync(path.join(root, 'deploy/nginx.conf'), 'utf8');
  return shipped
    .replace(/^resolver .*$/m, '')
    .replace(/^ *server web:3000 resolve(.*);$/m, (_, more) =>
      servers.map((at) => `server 127.0.0.1:${at}${more};`).join('\n'),
    )
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
}

/** @param {string} folder */
const mainConfig = (folder) => `
daemon off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/bodies;
  proxy_temp_path ${folder}/answers;
  fastcgi_temp_path ${folder}/unused-1;
  uwsgi_temp_path ${folder}/unused-2;
  scgi_temp_path ${folder}/unused-3;
  include ${folder}/site.conf;
}
`;

/** @param {number} port @returns {Promise<boolean>} whether something listens there */
const isListening = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.end(() => resolve(true)));
  });

/**
 * @param {number} port where nginx listens
 * @param {readonly number[]} servers ports of the servers behind it
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startNginx(port, servers) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-nginx-'));
  // Its workers run as another user when it is started as root.
  chmodSync(folder, 0o755);
  writeFileSync(path.join(folder, 'site.conf'), siteConfig(port, servers));
  writeFileSync(path.join(folder, 'nginx.conf'), mainConfig(folder));
  const child = spawn(NGINX, ['-p', folder, '-e', 'stderr', '-c', path.join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
