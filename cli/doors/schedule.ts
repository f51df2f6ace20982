import { Decimal } from '#app/domain/decimal/decimal.ts';
import { AppError } from '#app/domain/errors.ts';
import type { PlannedPause, ScheduleSwap } from '#app/domain/schedules/plan-changes.ts';
import type { Ramp, ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import type { SwapPreview } from '#app/features/schedules/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { ServerLogin } from '../server/login-file.ts';
import type { Doors } from './door.ts';

/** A schedule with what the terminal says about it. */
export interface ShownSchedule extends ScheduleRule {
  id: string;
  name: string;
  blend?: Blend | null | undefined;
  isActive: boolean;
}

type Planned = Pick<
  ShownSchedule,
  'name' | 'startDate' | 'endDate' | 'frequency' | 'times' | 'doseAmount' | 'doseUnit' | 'ramp' | 'blend'
>;

interface SwapInput {
  fromDay: string;
  name?: string;
  compoundId?: string;
  doseAmount?: string;
  confirm?: boolean;
}

interface AgainInput {
  startDate?: string;
  confirm?: boolean;
}

/** What `vialbook schedule` does. Every method throws what the operation throws. */
export interface ScheduleDoor {
  list(): Promise<readonly ShownSchedule[]>;
  /** @param lastDay null ends the pause that begins on the first day */
  pause(id: string, firstDay: string, lastDay: string | null): Promise<ShownSchedule>;
  endWithVial(id: string, endsWithVial: boolean): Promise<ShownSchedule>;
  undoSwap(id: string, swapId: string): Promise<ShownSchedule>;
  /** @returns what the swap changes, and the swaps of the schedule after it or, for a preview, as they are */
  swap(
    id: string,
    input: SwapInput,
    isPreview: boolean,
  ): Promise<Pick<SwapPreview, 'schedule' | 'doses'> & { swaps: readonly ScheduleSwap[] }>;
  again(id: string, input: AgainInput): Promise<ShownSchedule>;
  planAgain(id: string, input: AgainInput): Promise<Planned>;
}

async function here(user: string) {
  const operations = await import('#app/features/schedules/index.server.ts');
  return (ctx: Ctx): ScheduleDoor => ({
    list: () => operations.listSchedulesOf(ctx, user),
    pause: (id, firstDay, lastDay) =>
      lastDay === null
        ? operations.endPause(ctx, id, firstDay, user)
        : operations.savePause(ctx, id, { firstDay, lastDay }, null, user),
    endWithVial: (id, endsWithVial) => operations.setEndsWithVial(ctx, id, endsWithVial, user),
    undoSwap: (id, swapId) => operations.undoSwap(ctx, id, swapId, user),
    async swap(id, input, isPreview) {
      const { schedule, doses } = await operations.previewSwap(ctx, id, input, user);
      const { swaps } = isPreview ? schedule : await operations.swapSchedule(ctx, id, input, user);
      return { schedule, doses, swaps: swaps ?? [] };
    },
    again: (id, input) => operations.beginAgain(ctx, id, input, user),
    planAgain: (id, input) => operations.planToBeginAgain(ctx, id, input, user),
  });
}

const textOf = (number: number): string => new Decimal(number).toFixed();

/** A schedule as the API returns it. */
interface ApiSchedule extends Omit<
  ShownSchedule,
  'doseAmount' | 'ramp' | 'blend' | 'swaps' | 'firstDueAt' | 'stopsAt'
> {
  doseAmount: number;
  ramp: Record<'start' | 'step' | 'everyWeeks' | 'target', number> | null;
  doseOf: string | null;
  components: { name: string; amount: number }[];
  pauses: PlannedPause[];
  swaps: (Omit<ScheduleSwap, 'doseAmount'> & { doseAmount: number | null })[];
  firstDueAt: string | null;
  stopsAt: string | null;
}

const rampOf = ({ start, step, everyWeeks, target }: NonNullable<ApiSchedule['ramp']>): Ramp => ({
  start: textOf(start),
  step: textOf(step),
  everyWeeks,
  target: textOf(target),
});

const instantOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The schedule with its amounts as they are stored. */
function shownOf({ doseAmount, ramp, doseOf, components, swaps, ...rest }: ApiSchedule): ShownSchedule {
  const parts = components.map(({ name, amount }) => ({ name, amount: textOf(amount) }));
  return {
    ...rest,
    firstDueAt: instantOf(rest.firstDueAt),
    stopsAt: instantOf(rest.stopsAt),
    doseAmount: textOf(doseAmount),
    ramp: ramp === null ? null : rampOf(ramp),
    blend: doseOf === null ? null : { doseOf, components: parts },
    swaps: swaps.map((swap) => ({
      ...swap,
      doseAmount: swap.doseAmount === null ? null : textOf(swap.doseAmount),
    })),
  };
}

async function there() {
  const { allPages, call, pathOf } = await import('../server/server-api.ts');
  return (login: ServerLogin): ScheduleDoor => {
    const change = async (method: string, path: string, body?: object): Promise<ShownSchedule> => {
      const request = body === undefined ? undefined : { body };
      return shownOf((await call<{ schedule: ApiSchedule }>(login, method, path, request)).schedule);
    };
    const refuse = (what: string) => {
      const message = `${what} works only where the data are, and you are logged in to ${login.url}. Use the schedule’s page there.`;
      return Promise.reject(new AppError('INVALID_INPUT', message));
    };
    return {
      list: async () => (await allPages<ApiSchedule>(login, '/api/schedules', 'schedules')).map(shownOf),
      pause(id, firstDay, lastDay) {
        const path = pathOf`/api/schedules/${id}/pauses/${firstDay}`;
        return lastDay === null ? change('DELETE', path) : change('PATCH', path, { lastDay });
      },
      endWithVial: (id, endsWithVial) => change('PUT', pathOf`/api/schedules/${id}`, { endsWithVial }),
      undoSwap: (id, swapId) => change('DELETE', pathOf`/api/schedules/${id}/swaps/${swapId}`),
      swap: () => refuse('Changing the compound, vial or dose'),
      again: (id, input) => change('POST', pathOf`/api/schedules/${id}/again`, input),
      planAgain: () => refuse('--dry-run'),
    };
  };
}

/** @param user the account, when the database is here */
export const scheduleDoors = (user: string): Doors<ScheduleDoor> => ({ here: () => here(user), there });
