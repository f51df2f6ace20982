import { expect, it } from 'vitest';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import {
  amountWarnings,
  takenNearby,
  USUAL_DOSES,
  type Amount,
  type AmountSetting,
  type TakenAmount,
} from '#app/domain/doses/dose-warnings.ts';
import { doseOfWeek } from '#app/domain/schedules/schedule-rule.ts';
import { oneOf, seeded, USED_COMPOUNDS, type UsedCompound } from '#tests/support/dose-slips.ts';
import { isFullSize } from '#tests/support/size.ts';

/** A year without slips: with or without a plan, with ramps, missed and doubled doses, and odd amounts. */
interface Habit {
  compound: UsedCompound;
  everyDays: number;
  hasPlan: boolean;
  ramp: { start: string; step: string; everyWeeks: number; target: string } | null;
}

const DAY_MS = 86_400_000;
const dayText = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS).toISOString().slice(0, 10);

/** Amounts are read off a syringe, so they are a little more or less than intended. */
const drawn = (random: () => number, { text, unit }: Amount): Amount => ({
  text: new Decimal(text).times(oneOf(random, ['1', '1', '1', '1', '0.96', '1.04', '0.9', '1.1'])).toFixed(),
  unit,
});

function habitOf(random: () => number): Habit {
  const compound = oneOf(random, USED_COMPOUNDS);
  const isRamp = random() < 0.4;
  const { text } = compound.dose;
  const ramp = {
    start: text,
    step: text,
    everyWeeks: 4,
    target: new Decimal(text).times(oneOf(random, [4, 6, 8])).toFixed(),
  };
  return {
    compound,
    everyDays: isRamp ? 7 : oneOf(random, [1, 1, 2, 7]),
    hasPlan: random() < 0.7,
    ramp: isRamp ? ramp : null,
  };
}

/** @returns how many doses were logged, and how many had to be confirmed */
function yearOf(random: () => number): { logged: number; asked: number } {
  const { compound, everyDays, hasPlan, ramp } = habitOf(random);
  const { unit } = compound.dose;
  const most = ramp?.target ?? compound.dose.text;
  const ceiling =
    random() < 0.3
      ? {
          unit,
          perDose: new Decimal(most).times('1.5').toFixed(),
          perDay: new Decimal(most).times('2.5').toFixed(),
          per7Days: null,
        }
      : null;
  const taken: TakenAmount[] = [];
  let left = new Decimal(0);
  let logged = 0;
  let asked = 0;
  const log = (day: number, amount: Amount, planned: Amount | null) => {
    const mg = new Decimal(amount.text).times(unit === 'mcg' ? '0.001' : 1);
    // When a vial is nearly empty, the next one is used, as in real drawing.
    if (left.lt(mg)) left = left.plus(new Decimal(compound.perMl).times(2).plus(mg.times(5)));
    const last = taken.slice(-USUAL_DOSES).toReversed();
    const setting: AmountSetting = {
      usual: planned === null ? { kind: 'earlier', amounts: last } : { kind: 'plan', amounts: [planned] },
      ceiling,
      taken:
        ceiling === null
          ? { sameDayMg: '0', weekMg: '0' }
          : takenNearby(dayText(day), amount.unit, taken.slice(-20)),
      leftMg: left.toFixed(),
      strength: null,
      syringe: 'u100-1ml',
    };
    logged += 1;
    if (amountWarnings(amount, setting).length > 0) asked += 1;
    left = left.minus(mg);
    taken.push({ ...amount, day: dayText(day) });
  };
  for (let day = 0; day < 365; day += everyDays) {
    if (random() < 0.08) continue;
    const text = doseOfWeek({ ramp, course: null, doseAmount: compound.dose.text }, Math.floor(day / 7));
    const planned: Amount = { text, unit };
    log(day, drawn(random, planned), hasPlan ? planned : null);
    // After a missed dose, some people take it later, on the same day as another one.
    if (random() < 0.03) log(day, drawn(random, planned), hasPlan ? planned : null);
  }
  return { logged, asked };
}

it('a year of ordinary doses of 100 people asks for confirmation in fewer than 1 of 100 entries', () => {
  const random = seeded(2026);
  const people = Array.from({ length: 100 }, () => yearOf(random));
  const logged = people.reduce((sum, one) => sum + one.logged, 0);
  const asked = people.reduce((sum, one) => sum + one.asked, 0);
  if (isFullSize)
    process.stdout.write(
      `\nA year of 100 people: ${logged} entries, asked about ${asked} (${((100 * asked) / logged).toFixed(2)}%)\n`,
    );
  expect(logged).toBeGreaterThan(10_000);
  expect(asked / logged).toBeLessThan(0.01);
});
