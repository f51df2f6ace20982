// Two baselines, each in its own process: `render FILE` answers with that page rendered by React alone, `plain` with
// two bytes. Both print their port once they are listening.
import { readFileSync } from 'node:fs';
import http from 'node:http';

const [, , task, file] = process.argv;

async function handlerOf() {
  if (task === 'plain') return (_request, response) => response.end('ok');
  const { renderToPipeableStream } = await import('react-dom/server');
  const { elementsOf } = await import('./elements.mjs');
  const page = elementsOf(readFileSync(file, 'utf8'));
  return (_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    const { pipe } = renderToPipeableStream(page, { onAllReady: () => pipe(response) });
  };
}

const server = http.createServer(await handlerOf());
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.log(server.address().port));
