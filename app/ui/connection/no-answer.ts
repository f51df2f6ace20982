import { NETWORK_TEXTS, REQUEST_FAILED } from '#app/domain/messages.ts';
import { showToast } from '#app/ui/toasts.tsx';
import { watchStatus } from './answer-status.ts';

/** Why no answer arrived, in words for users. */
export interface NoAnswer {
  title: string;
  message: string;
}

/** No answer of the application arrived. */
export class NoAnswerError extends Error implements NoAnswer {
  override name = 'NoAnswerError';
  constructor(
    readonly title: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The response did not arrive in time. */
const timedOut = () =>
  new NoAnswerError(
    'Server Timeout',
    'Server is taking too long to respond. It may be starting up. Please try again in a few moments.',
  );

/** Reasons in words, which a response has only up to HTTP/1.1. */
const REASONS: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Something else answered, such as a proxy while the server restarts, or the server failed. */
function refused(status: number, cause: unknown): NoAnswerError {
  const message =
    status === 0 ? NETWORK_TEXTS.message : `HTTP ${status}: ${REASONS[status] ?? 'no reason given'}`;
  return new NoAnswerError(REQUEST_FAILED, message, { cause });
}

/** How long an answer may take. */
const TIMEOUT_MS = 30_000;

/** Files have no time limit: a large one may take long. */
const sendsFiles = (request: Request): boolean =>
  request.headers.get('Content-Type')?.startsWith('multipart/form-data') === true;

async function inTime<Answer>(request: Request, ask: () => Promise<Answer>): Promise<Answer> {
  if (sendsFiles(request)) return await ask();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(timedOut()), TIMEOUT_MS);
  });
  try {
    return await Promise.race([ask(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The answer of the application to a `clientLoader` or `clientAction`. What the application throws, such as a redirect or a
 * refusal with a message, is thrown on.
 * @throws NoAnswerError when no answer of the application arrives within 30 seconds
 */
export async function answerOf<Answer>(request: Request, ask: () => Promise<Answer>): Promise<Answer> {
  const watch = watchStatus(new URL(request.url).pathname);
  try {
    return await inTime(request, ask);
  } catch (thrown) {
    // Responses are no errors, and nobody waits for a request that was given up.
    if (!(thrown instanceof Error) || thrown instanceof NoAnswerError || request.signal.aborted) throw thrown;
    // What `fetch` throws when it does not reach the server.
    if (thrown instanceof TypeError)
      throw new NoAnswerError(NETWORK_TEXTS.title, NETWORK_TEXTS.message, { cause: thrown });
    throw refused(await watch.ofRefusal(), thrown);
  } finally {
    watch.end();
  }
}

/** Tells the user that no answer arrived. */
export function sayNoAnswer({ title, message }: NoAnswer): void {
  showToast({ type: 'error', title, message });
}
