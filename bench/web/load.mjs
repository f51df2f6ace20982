// A small load generator on raw sockets, because Node's HTTP client would be slower than the servers measured here.
import net from 'node:net';
import { performance } from 'node:perf_hooks';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** True when a whole answer has arrived. */
function isWhole(answer) {
  const head = answer.indexOf(END_OF_HEAD);
  if (head < 0) return false;
  const text = answer.toString('latin1', 0, head);
  const length = /^content-length: (\d+)/im.exec(text)?.[1];
  if (length !== undefined) return answer.length >= head + 4 + Number(length);
  return answer.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
}

function statusOf(answer) {
  return Number(answer.toString('latin1', 9, 12));
}

/** One connection that sends the next request as soon as it is answered, until told to stop. */
function ask(port, request, goOn) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let chunks = [];
    socket.on('connect', () => socket.write(request));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const answer = chunks.length > 1 ? Buffer.concat(chunks) : chunk;
      chunks = [answer];
      if (!isWhole(answer)) return;
      chunks = [];
      if (statusOf(answer) !== 200) {
        socket.destroy();
        reject(new Error(`answered with ${statusOf(answer)}`));
      } else if (goOn()) socket.write(request);
      else socket.end(resolve);
    });
  });
}

function requestFor(path, headers) {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

const CONNECTIONS = 16;

/**
 * Requests one address repeatedly.
 * @returns {Promise<number>} answers per second
 */
export async function requestsPerSecond(port, path, { headers = {}, seconds = 0, requests = Infinity } = {}) {
  const request = requestFor(path, headers);
  const begin = performance.now();
  const until = seconds > 0 ? begin + seconds * 1000 : Infinity;
  let asked = CONNECTIONS;
  let answered = 0;
  const goOn = () => {
    answered += 1;
    if (asked >= requests || performance.now() >= until) return false;
    asked += 1;
    return true;
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(port, request, goOn)));
  return (answered * 1000) / (performance.now() - begin);
}
