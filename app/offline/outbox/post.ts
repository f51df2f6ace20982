import type { Answer, OutboxEntry, Problem } from '#app/domain/offline/entry.ts';
import { OUTBOX_PATH } from '../paths.ts';

const TIMEOUT_MS = 30_000;

/** Answers after which the same entry may be taken at another time. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429;

interface Refusal extends Partial<Problem> {
  error?: string;
}

interface Outcome {
  done?: boolean;
  warnings?: { code: string; message: string }[];
  askedAmount?: string;
}

/** The question that has to be answered before a dose is written. */
function questionOf({ warnings = [], askedAmount }: Outcome): Answer {
  const message = warnings.map((warning) => warning.message).join(' ');
  const confirm = warnings.map(({ code }) => code);
  const asked = askedAmount === undefined ? {} : { askedAmount };
  return { kind: 'refused', problem: { code: 'QUESTION', message, fields: {}, confirm, ...asked } };
}

/** What an answer of the server says about an entry. One that makes no sense counts as none. */
export async function readAnswer(answer: Response): Promise<Answer> {
  // Whoever is not signed in is sent to the sign-in page.
  if (answer.type === 'opaqueredirect' || answer.status === 401) return { kind: 'signed-out' };
  const body = (await answer.json().catch(() => null)) as (Refusal & Outcome) | null;
  if (body === null || isPassing(answer.status) || answer.headers.has('Retry-After'))
    return { kind: 'later' };
  if (answer.ok) return body.done === true ? { kind: 'written' } : questionOf(body);
  if (body.error === 'FORBIDDEN') return { kind: 'other-user' };
  const { error = 'REFUSED', message = 'The server did not take this entry.', fields = {} } = body;
  return { kind: 'refused', problem: { code: error, message, fields, confirm: [] } };
}

/** Sends an entry with the session of this browser. */
export async function postEntry({ userId, id, kind, at, fields }: OutboxEntry): Promise<Answer> {
  try {
    const answer = await fetch(OUTBOX_PATH, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ userId, id, kind, at, fields }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return await readAnswer(answer);
  } catch {
    return { kind: 'later' };
  }
}
