import {
  scheduleAnswer,
  swappedDoseAnswer,
  type ScheduleAnswer,
  type SwappedDoseAnswer,
} from '#app/domain/schedules/schedule-answer.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { ServerLogin } from '../server/login-file.ts';
import type { Doors } from './door.ts';

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

/** What a swap changes, and the schedule after it or, for a preview, as it is. */
interface Swapped {
  schedule: ScheduleAnswer;
  doses: readonly SwappedDoseAnswer[];
}

/** What `vialbook schedule` does. Every method throws what the operation throws. */
export interface ScheduleDoor {
  list(): Promise<readonly ScheduleAnswer[]>;
  /** @param lastDay null ends the pause that begins on the first day */
  pause(id: string, firstDay: string, lastDay: string | null): Promise<ScheduleAnswer>;
  endWithVial(id: string, endsWithVial: boolean): Promise<ScheduleAnswer>;
  undoSwap(id: string, swapId: string): Promise<ScheduleAnswer>;
  swap(id: string, input: SwapInput, isPreview: boolean): Promise<Swapped>;
  /** @returns the new schedule; a preview has the id of the old one */
  again(id: string, input: AgainInput, isPreview: boolean): Promise<ScheduleAnswer>;
}

async function here(user: string) {
  const operations = await import('#app/features/schedules/index.server.ts');
  return (ctx: Ctx): ScheduleDoor => ({
    list: async () => (await operations.listSchedulesOf(ctx, user)).map(scheduleAnswer),
    pause: async (id, firstDay, lastDay) =>
      scheduleAnswer(
        lastDay === null
          ? await operations.endPause(ctx, id, firstDay, user)
          : await operations.savePause(ctx, id, { firstDay, lastDay }, null, user),
      ),
    endWithVial: async (id, endsWithVial) =>
      scheduleAnswer(await operations.setEndsWithVial(ctx, id, endsWithVial, user)),
    undoSwap: async (id, swapId) => scheduleAnswer(await operations.undoSwap(ctx, id, swapId, user)),
    async swap(id, input, isPreview) {
      const { schedule, doses } = await operations.previewSwap(ctx, id, input, user);
      const after = isPreview ? schedule : await operations.swapSchedule(ctx, id, input, user);
      return { schedule: scheduleAnswer(after), doses: doses.map(swappedDoseAnswer) };
    },
    async again(id, input, isPreview) {
      const begin = isPreview ? operations.previewAgain : operations.beginAgain;
      return scheduleAnswer(await begin(ctx, id, input, user));
    },
  });
}

type Instants = 'firstDueAt' | 'stopsAt' | 'nextDoseDate' | 'lastDoseDate';

/** A schedule as JSON has it. */
type ApiSchedule = Omit<ScheduleAnswer, Instants | 'createdAt' | 'updatedAt'> &
  Record<Instants, string | null> &
  Record<'createdAt' | 'updatedAt', string>;

type ApiSwappedDose = Omit<SwappedDoseAnswer, 'dueDate'> & { dueDate: string };

const instantOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

const readSchedule = (schedule: ApiSchedule): ScheduleAnswer => ({
  ...schedule,
  firstDueAt: instantOf(schedule.firstDueAt),
  stopsAt: instantOf(schedule.stopsAt),
  nextDoseDate: instantOf(schedule.nextDoseDate),
  lastDoseDate: instantOf(schedule.lastDoseDate),
  createdAt: new Date(schedule.createdAt),
  updatedAt: new Date(schedule.updatedAt),
});

async function there() {
  const { allPages, call, pathOf } = await import('../server/server-api.ts');
  return (login: ServerLogin): ScheduleDoor => {
    const change = async (method: string, path: string, body?: object): Promise<ScheduleAnswer> => {
      const request = body === undefined ? undefined : { body };
      return readSchedule((await call<{ schedule: ApiSchedule }>(login, method, path, request)).schedule);
    };
    return {
      list: async () => (await allPages<ApiSchedule>(login, '/api/schedules', 'schedules')).map(readSchedule),
      pause(id, firstDay, lastDay) {
        const path = pathOf`/api/schedules/${id}/pauses/${firstDay}`;
        return lastDay === null ? change('DELETE', path) : change('PATCH', path, { lastDay });
      },
      endWithVial: (id, endsWithVial) => change('PUT', pathOf`/api/schedules/${id}`, { endsWithVial }),
      undoSwap: (id, swapId) => change('DELETE', pathOf`/api/schedules/${id}/swaps/${swapId}`),
      async swap(id, input, preview) {
        const { schedule, doses } = await call<{ schedule: ApiSchedule; doses: ApiSwappedDose[] }>(
          login,
          'POST',
          pathOf`/api/schedules/${id}/swaps`,
          { body: { ...input, preview } },
        );
        const read = (dose: ApiSwappedDose) => ({ ...dose, dueDate: new Date(dose.dueDate) });
        return { schedule: readSchedule(schedule), doses: doses.map(read) };
      },
      again: (id, input, preview) =>
        change('POST', pathOf`/api/schedules/${id}/again`, { ...input, preview }),
    };
  };
}

/** @param user the account, when the database is here */
export const scheduleDoors = (user: string): Doors<ScheduleDoor> => ({ here: () => here(user), there });
