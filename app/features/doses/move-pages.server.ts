import { data } from '@remix-run/node';
import { doseLine } from '#app/domain/doses/dose-line.ts';
import { isAppError, STATUS } from '#app/domain/errors.ts';
import { moveDoseSchema } from '#app/domain/schedules/move-schema.ts';
import { type MoveScope, MOVE_MESSAGES } from '#app/domain/schedules/moves.ts';
import { dayLabel } from '#app/domain/time/calendar.ts';
import { localDateTime, momentField } from '#app/domain/time/zoned-time.ts';
import { moveDose, previewMove, type MovePreview } from '#app/features/schedules/index.server.ts';
import { formAgain, submitForm, done } from '#app/platform/http/forms.server.ts';
import type { PageArgs } from '#app/platform/http/route-handlers.server.ts';
import { getDose } from './doses.server.ts';

/** What a move would do, in words. Days and times are in the owner's zone. */
export interface ShownMove {
  scope: MoveScope;
  dueDate: string;
  rows: { from: string; to: string }[];
  /** Another dose of the schedule that comes close; null when none does. */
  tooCloseTo: string | null;
}

function shownMove({ scope, doses, tooCloseTo }: MovePreview, dueDate: string, timeZone: string): ShownMove {
  const words = (at: Date) => {
    const [day = '', time = ''] = localDateTime(at, timeZone).split(' ');
    return `${dayLabel(day)}, ${time}`;
  };
  return {
    scope,
    dueDate,
    rows: doses.map(({ from, to }) => ({ from: words(from), to: words(to) })),
    tooCloseTo: tooCloseTo === null ? null : words(tooCloseTo),
  };
}

/** What the page for moving a dose shows; with a time in its address also what the move would do. */
export async function readMovePage({ ctx, params, url }: PageArgs) {
  const id = params['id'] ?? '';
  const dose = await getDose(ctx, id);
  const asked = { dueDate: url.searchParams.get('dueDate'), scope: url.searchParams.get('scope') ?? 'this' };
  const shown = {
    path: `/dashboard/schedule/doses/${id}`,
    line: doseLine(dose, ctx.timeZone, ctx.now()),
    hasFollowing: !dose.chain,
    dueDate: asked.dueDate ?? momentField(dose.dueDate, ctx.timeZone),
    scope: asked.scope,
  };
  if (dose.status !== 'pending') return data({ ...shown, preview: null, problem: MOVE_MESSAGES.notPending });
  if (asked.dueDate === null) return data({ ...shown, preview: null, problem: null });
  try {
    const wanted = { dueDate: asked.dueDate, scope: asked.scope as MoveScope };
    const preview = shownMove(await previewMove(ctx, id, wanted), asked.dueDate, ctx.timeZone);
    return data({ ...shown, preview, problem: null });
  } catch (error) {
    if (!isAppError(error) || !['INVALID_INPUT', 'CONFLICT'].includes(error.code)) throw error;
    return data({ ...shown, preview: null, problem: error.message }, { status: STATUS[error.code] });
  }
}

/** Moves the dose as the page showed it. */
export async function submitMove({ request, ctx, params }: PageArgs) {
  const id = params['id'] ?? '';
  const submitted = await submitForm(request, moveDoseSchema, async (input) => {
    await moveDose(ctx, id, input);
    return input.scope;
  });
  if (!submitted.ok) return formAgain(submitted);
  const message = submitted.value === 'following' ? MOVE_MESSAGES.movedAll : MOVE_MESSAGES.moved;
  throw await done(`/dashboard/schedule/doses/${id}`, message);
}
