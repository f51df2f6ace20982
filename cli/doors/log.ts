import { confirmDosesError } from '#app/domain/doses/dose-question.ts';
import type { LineDose } from '#app/domain/doses/dose-line.ts';
import { DOSE_MESSAGES, NAMED_PLAN } from '#app/domain/doses/dose-schema.ts';
import {
  confirmDoseError,
  DOSE_WARNINGS,
  REPORTED_WARNINGS,
  unconfirmed,
} from '#app/domain/doses/dose-warnings.ts';
import { slotEnd, slotStart } from '#app/domain/doses/time-slot.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { AppError } from '#app/domain/errors.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { pickNamed } from '#app/domain/records/pick-named.ts';
import type { TakeOutcome } from '#app/features/doses/index.server.ts';
import type { ServerLogin } from '../server/login-file.ts';
import type { Doors } from './door.ts';

/** A dose that was logged or undone. */
export type Logged = LineDose & { site: string | null; draws: readonly unknown[] };

export interface Taken {
  dose: Logged;
  /** What was noticed, in words; it was logged all the same. */
  warnings: readonly { code: string; message: string }[];
}

/** What every way of logging takes. Without `confirm`, an unusual amount is refused. */
export interface Intake {
  takenAt?: string | undefined;
  site?: string | undefined;
  confirm: boolean;
}

/** What `vialbook log` does. Every method throws what the operation throws. */
export interface LogDoor {
  takeDose(id: string, intake: Intake): Promise<Taken>;
  /** @param plan name or id of a schedule taken as needed */
  takeAsNeeded(plan: string, intake: Intake, actualDose: string | undefined): Promise<Taken>;
  logDose(dose: { name: string; actualDose: string; doseOf?: string }, intake: Intake): Promise<Taken>;
  /** Takes every dose of the latest time slot in which one is due. */
  takeDue(intake: Intake): Promise<Taken[]>;
  /** @returns the dose before and after; after is null when it is removed */
  undo(id: string): Promise<{ before: Logged; dose: Logged | null }>;
  timeZone(): Promise<string>;
}

const nothingDue = () => new AppError('NOT_FOUND', DOSE_MESSAGES.nothingDue);

/** The terminal doesn't ask: it shows the warnings, and the user repeats with `--confirm`. */
const confirmedBy = (confirm: boolean) => (confirm ? [...DOSE_WARNINGS] : [...REPORTED_WARNINGS]);

const forOperation = ({ takenAt, site, confirm }: Intake) => ({
  takenAt,
  site: site as never,
  confirmed: confirmedBy(confirm),
});

function takenOr(outcome: TakeOutcome): Taken {
  if (!outcome.done) throw confirmDoseError(unconfirmed(outcome.warnings, REPORTED_WARNINGS));
  return outcome;
}

async function here(user: string) {
  const [doses, { getUserByEmail }] = await Promise.all([
    import('#app/features/doses/index.server.ts'),
    import('#app/platform/access/owner.server.ts'),
  ]);
  return (ctx: Parameters<typeof doses.takeDose>[0]): LogDoor => ({
    takeDose: async (id, intake) => takenOr(await doses.takeDose(ctx, id, forOperation(intake), user)),
    async takeAsNeeded(plan, intake, actualDose) {
      const { id } = await doses.findAsNeededPlan(ctx, plan, user);
      const fields = { ...forOperation(intake), ...(actualDose !== undefined && { actualDose }) };
      return takenOr(await doses.takeAsNeeded(ctx, id, fields, { email: user }));
    },
    logDose: async (dose, intake) =>
      takenOr(await doses.logDose(ctx, { ...dose, ...forOperation(intake) }, { email: user })),
    async takeDue({ takenAt, confirm }) {
      const due = await doses.listSlotDoses(ctx, undefined, user);
      if (due.length === 0) throw nothingDue();
      const input = { ids: due.map(({ id }) => id), confirmed: confirmedBy(confirm) };
      const outcome = await doses.takeDoses(
        ctx,
        { ...input, ...(takenAt !== undefined && { takenAt }) },
        user,
      );
      if (!outcome.done) throw confirmDosesError(outcome.questions);
      return outcome.taken;
    },
    async undo(id) {
      const before = await doses.getDose(ctx, id, user);
      return { before, dose: await doses.undoDose(ctx, id, user) };
    },
    timeZone: async () => (await getUserByEmail(ctx, user)).timeZone,
  });
}

/** A dose as the API returns it. */
interface ApiDose extends Omit<
  Logged,
  'dueDate' | 'takenAt' | 'doseAmount' | 'actualDose' | 'blend' | 'drawn'
> {
  dueDate: string;
  takenAt: string | null;
  doseAmount: number;
  actualDose: number | null;
  doseOf: string | null;
  components: { name: string; dose: number }[];
}

const decimalText = (number: number): string => new Decimal(number).toFixed();

/** The dose with its amounts as they are stored. The doses of a blend's components stand in the proportions of its vial. */
function loggedOf({ doseOf, components, ...dose }: ApiDose): Logged {
  const drawn =
    doseOf === null
      ? null
      : { doseOf, components: components.map(({ name, dose: of }) => ({ name, amount: decimalText(of) })) };
  return {
    ...dose,
    dueDate: new Date(dose.dueDate),
    takenAt: dose.takenAt === null ? null : new Date(dose.takenAt),
    doseAmount: decimalText(dose.doseAmount),
    actualDose: dose.actualDose === null ? null : decimalText(dose.actualDose),
    drawn,
  };
}

const DOSES = '/api/schedules/doses';

interface ApiTaken {
  dose: ApiDose;
  warnings: Taken['warnings'];
}

async function there() {
  const { call, pathOf, allPages } = await import('../server/server-api.ts');
  return (login: ServerLogin): LogDoor => {
    const take = async (method: string, path: string, body: object): Promise<Taken> => {
      const { dose, warnings } = await call<ApiTaken>(login, method, path, { body });
      return { dose: loggedOf(dose), warnings };
    };
    const timeZone = async () =>
      (await call<{ user: { timeZone: string } }>(login, 'GET', '/api/profile')).user.timeZone;

    const findPlan = async (nameOrId: string): Promise<string> => {
      const schedules = await allPages<{ id: string; name: string; frequency: { kind: string } }>(
        login,
        '/api/schedules',
        'schedules',
      );
      const plans = schedules.filter(({ frequency }) => frequency.kind === 'as-needed');
      return pickNamed(plans, nameOrId, NAMED_PLAN).id;
    };

    /** The ids of the pending doses in the latest time slot in which one is due. */
    const slotIds = async (): Promise<string[]> => {
      const { doses: due } = await call<{ doses: { dueDate: string }[] }>(login, 'GET', '/api/today');
      const latest = due.at(-1);
      if (latest === undefined) throw nothingDue();
      const start = slotStart(new Date(latest.dueDate));
      const day = calendarDay(start, await timeZone());
      const pending = await allPages<ApiDose>(login, DOSES, 'doses', {
        status: 'pending',
        start: day,
        end: day,
      });
      const isInSlot = (at: Date) => at >= start && at < slotEnd(start);
      return pending.filter(({ dueDate }) => isInSlot(new Date(dueDate))).map(({ id }) => id);
    };

    return {
      takeDose: (id, intake) => take('PATCH', pathOf`${DOSES}/${id}/taken`, intake),
      async takeAsNeeded(plan, intake, actualDose) {
        const id = await findPlan(plan);
        return take('POST', pathOf`/api/schedules/${id}/doses`, { ...intake, actualDose });
      },
      logDose: (dose, intake) => take('POST', DOSES, { ...dose, ...intake }),
      async takeDue({ takenAt, confirm }) {
        const body = { ids: await slotIds(), takenAt, confirm };
        const { doses, warnings } = await call<{
          doses: ApiDose[];
          warnings: Record<string, Taken['warnings']>;
        }>(login, 'POST', `${DOSES}/take`, { body });
        return doses.map((dose) => ({ dose: loggedOf(dose), warnings: warnings[dose.id] ?? [] }));
      },
      async undo(id) {
        const { dose: before } = await call<{ dose: ApiDose }>(login, 'GET', pathOf`${DOSES}/${id}`);
        const path = pathOf`${DOSES}/${id}/undo`;
        const { dose } = await call<{ dose: ApiDose | null }>(login, 'PATCH', path, { body: {} });
        return { before: loggedOf(before), dose: dose === null ? null : loggedOf(dose) };
      },
      timeZone,
    };
  };
}

/** @param user the account, when the database is here */
export const logDoors = (user: string): Doors<LogDoor> => ({ here: () => here(user), there });
