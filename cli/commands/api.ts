import { readFile } from 'node:fs/promises';
import { AppError } from '#app/domain/errors.ts';
import { action, examples, type Session, withCommonOptions } from '../command.ts';
import { cannotRead } from '../files.ts';
import { type Io, write } from '../io.ts';
import { EXIT } from '../output.ts';
import { readLogin } from '../server/login-file.ts';
import { send, type ApiRequest } from '../server/server-api.ts';

interface ApiOptions {
  data?: string;
  type: string;
  json?: boolean;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The exit code of an answer, as the command that makes the call would have it. */
function exitOf(status: number): number {
  if (status < 400) return EXIT.done;
  if ([400, 409, 412, 422].includes(status)) return EXIT.invalid;
  if (status === 404) return EXIT.notFound;
  return [401, 402, 403].includes(status) ? EXIT.notAllowed : EXIT.failed;
}

async function allOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** The body: JSON as it is written, a file after "@", or standard input. */
async function bodyOf(io: Io, { data, type }: ApiOptions): Promise<ApiRequest> {
  if (data === undefined) return {};
  const file = data.startsWith('@') ? data.slice(1) : null;
  const bytes =
    data === '-' || file === '-'
      ? await allOf(io.stdin)
      : file === null
        ? Buffer.from(data)
        : await readFile(file).catch((cause: unknown) => {
            throw cannotRead(file, cause);
          });
  return { raw: { bytes: new Uint8Array(bytes), contentType: type } };
}

async function run(io: Io, options: ApiOptions, typed: string, path: string): Promise<number> {
  const method = typed.toUpperCase();
  if (!METHODS.includes(method))
    throw new AppError('INVALID_INPUT', `Use one of the methods ${METHODS.join(', ')}.`);
  if (method === 'GET' && options.data !== undefined)
    throw new AppError(
      'INVALID_INPUT',
      'GET takes no --data. Write the query into the path: "/api/…?page=2".',
    );
  const login = await readLogin(io.env);
  if (login === null)
    throw new AppError('UNAUTHENTICATED', 'You are not logged in to a server. Use "vialbook login" first.');
  const response = await send(login, method, path, await bodyOf(io, options));
  let last = 0x0a;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    await write(io.stdout, bytes);
    last = bytes.at(-1) ?? last;
  }
  const isText = (response.headers.get('Content-Type') ?? '').startsWith('application/json');
  if (isText && last !== 0x0a) await write(io.stdout, '\n');
  return exitOf(response.status);
}

const HELP = `
Prints the body of the answer. The exit code follows its status: 0 for success, 2 for 400, 409, 412 and 422, 4 for 404, 5 for
401, 402 and 403, otherwise 1. The server documents its calls at /api/docs.
${examples(
  'vialbook api GET /api/today',
  `vialbook api POST /api/supplies --data '{"kind":"swab","name":"Swabs","count":100}'`,
  "vialbook api POST '/api/import?dryRun=true' --data @doses.csv --type text/csv",
)}`;

/** Adds `vialbook api`. */
export function register(session: Session): void {
  const command = session.program
    .command('api')
    .description('Call the API of the server you are logged in to, and print the answer.')
    .argument('<method>', METHODS.join(', '))
    .argument('<path>', 'path and query of the call, /api/…')
    .option('--data <body>', 'JSON to send, a file as @FILE, or - for stdin')
    .option('--type <media type>', 'of what is sent', 'application/json')
    .addHelpText('after', HELP);
  withCommonOptions(command, { json: false, quiet: false }).action(
    action<ApiOptions>(session, (options, method = '', path = '') => run(session.io, options, method, path)),
  );
}
