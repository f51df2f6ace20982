import { describe, expect, it } from 'vitest';
import { baseUnitText, doseText, isDoseAmount } from '#app/domain/units/quantity.ts';
import { doseLine, moveHistoryTexts, durationText, type LineDose } from '#app/domain/doses/dose-line.ts';
import { doseWarnings, tooSoonWarning, unconfirmed } from '#app/domain/doses/dose-warnings.ts';

const dose: LineDose = {
  id: 'dose_1',
  name: 'BPC-157',
  dueDate: new Date('2026-03-09T07:00:00Z'),
  takenAt: null,
  status: 'pending',
  doseAmount: '250.0',
  actualDose: null,
  doseUnit: 'mcg',
  wallTime: '08:00',
  timeZone: 'Europe/Berlin',
  notes: null,
};
const at = (text: string) => new Date(`2026-03-${text}:00Z`);

describe('a dose as a line', () => {
  it('shows time and amount in the owner’s time zone', () => {
    expect(doseLine(dose, 'Europe/Berlin', at('09T06:00'))).toEqual({
      id: 'dose_1',
      name: 'BPC-157',
      day: '2026-03-09',
      time: '08:00',
      dueDate: '2026-03-09T07:00:00.000Z',
      status: 'pending',
      urgency: 'later',
      lateText: null,
      amountText: '250 mcg',
      plannedText: null,
      takenText: null,
      ownTimeText: null,
      movedText: null,
      notes: null,
      canUndo: false,
      canMove: false,
    });
  });

  it('says where it was moved from, and can be moved again or undone until it is logged', () => {
    const [from, to] = [at('09T07:00'), at('10T08:00')];
    const moved = {
      ...dose,
      scheduleId: 'sched_1',
      dueDate: to,
      wallTime: '09:00',
      movedFrom: { localDay: '2026-03-09', wallTime: '08:00' },
      moveHistory: [{ from, to, at: at('09T06:00'), isUndo: false }],
    };
    expect(doseLine(moved, 'Europe/Berlin', at('09T06:00'))).toMatchObject({
      day: '2026-03-10',
      time: '09:00',
      ownTimeText: null,
      movedText: 'moved from Mon 9 Mar, 08:00',
      canUndo: true,
      canMove: true,
    });
    const taken = doseLine({ ...moved, status: 'taken', takenAt: to }, 'Europe/Berlin', to);
    expect(taken).toMatchObject({ canUndo: false, canMove: false });
    expect(moveHistoryTexts(moved.moveHistory, 'Europe/Berlin')).toEqual([
      'Moved on 9 Mar 2026, 07:00: from 9 Mar 2026, 08:00 to 10 Mar 2026, 09:00',
    ]);
  });

  it('shows both times and the owner’s day if the schedule is in another time zone', () => {
    const line = doseLine(dose, 'Pacific/Auckland', at('09T06:00'));
    expect(line).toMatchObject({ day: '2026-03-09', time: '20:00', ownTimeText: '08:00 in Europe/Berlin' });
    expect(doseLine(dose, 'Pacific/Honolulu', at('09T06:00'))).toMatchObject({
      day: '2026-03-08',
      time: '21:00',
    });
  });

  it('shows the actual and the scheduled time on the day of a clock change', () => {
    const skipped = { ...dose, wallTime: '02:30', dueDate: new Date('2026-03-29T01:30:00Z') };
    expect(doseLine(skipped, 'Europe/Berlin', at('29T00:00'))).toMatchObject({
      time: '03:30',
      ownTimeText: '02:30 in Europe/Berlin',
    });
  });

  it.each([
    ['09T07:00', 'due', null],
    ['09T07:29', 'due', null],
    ['09T07:30', 'overdue', 'Overdue by 30 min'],
    ['09T09:30', 'overdue', 'Overdue by 2 h 30 min'],
    ['10T10:00', 'overdue', 'Overdue by 1 d 3 h'],
  ])('at %s is %s', (now, urgency, lateText) => {
    expect(doseLine(dose, 'Europe/Berlin', at(now))).toMatchObject({ urgency, lateText });
  });

  it('shows what was actually taken, and when', () => {
    const taken = {
      ...dose,
      status: 'taken' as const,
      actualDose: '200',
      takenAt: at('09T07:12'),
      before: {},
    };
    expect(doseLine(taken, 'Europe/Berlin', at('09T20:00'))).toMatchObject({
      amountText: '200 mcg',
      plannedText: 'planned 250 mcg',
      takenText: 'Taken at 08:12',
      lateText: null,
      canUndo: true,
    });
    const late = { ...taken, takenAt: at('10T06:00') };
    expect(doseLine(late, 'Europe/Berlin', at('10T20:00')).takenText).toBe('Taken on 10 Mar at 07:00');
  });
});

describe('durations', () => {
  it.each([
    [0, '0 min'],
    [59, '59 min'],
    [60, '1 h'],
    [61, '1 h 1 min'],
    [1440, '1 d'],
    [1439, '23 h 59 min'],
    [1445, '1 d'],
    [3000, '2 d 2 h'],
  ])('%s minutes are %s', (minutes, text) => expect(durationText(minutes)).toBe(text));
});

describe('dose amounts', () => {
  it.each([
    ['0', 'mg', false],
    ['0.0001', 'mg', true],
    ['100', 'mg', true],
    ['100.0001', 'mg', false],
    ['100000', 'mcg', true],
    ['100000.1', 'mcg', false],
  ] as const)('%s %s is a dose: %s', (text, unit, is) => expect(isDoseAmount(text, unit)).toBe(is));

  it('are exact in mg', () => {
    expect(baseUnitText('333.3', 'mcg')).toBe('0.3333');
    expect(baseUnitText('0.1', 'mg')).toBe('0.1');
    expect(doseText('0.250', 'mg')).toBe('0.25 mg');
  });
});

describe('warnings about a dose', () => {
  const [early, late] = [new Date('2026-03-10T08:00Z'), new Date('2026-03-10T17:30Z')];
  const tooSoon = { code: 'TOO_SOON' as const, message: 'Your last dose was 9 h 30 min earlier.' };
  const past = { code: 'PAST_DATE' as const, compoundId: 'a', message: 'Past' };
  const none = { code: 'NO_OPEN_VIAL' as const, compoundId: null, message: 'None' };

  it('say how far away the dose is that is too close', () => {
    expect(tooSoonWarning(late, { before: early, after: null }, 1440)).toEqual(tooSoon);
    expect(tooSoonWarning(early, { before: null, after: late }, 1440)?.message).toBe(
      'Another dose was taken 9 h 30 min later.',
    );
    expect(tooSoonWarning(late, { before: early, after: null }, 600)).toBeNull();
  });

  it('contain each message once, "too soon" first', () => {
    expect(
      doseWarnings([tooSoon], [past, { ...past, compoundId: 'b' }, none], []).map(({ code }) => code),
    ).toEqual(['TOO_SOON', 'PAST_DATE', 'NO_OPEN_VIAL']);
    expect(doseWarnings([], [], [])).toEqual([]);
  });

  it('have to be confirmed on a page only if they are serious', () => {
    const all = doseWarnings([tooSoon], [past, none], []);
    expect(unconfirmed(all, []).map(({ code }) => code)).toEqual(['TOO_SOON', 'PAST_DATE']);
    expect(unconfirmed(all, ['TOO_SOON']).map(({ code }) => code)).toEqual(['PAST_DATE']);
    expect(unconfirmed(all, ['PAST_DATE', 'TOO_SOON'])).toEqual([]);
    expect(unconfirmed([tooSoon], ['PAST_DATE'])).toEqual([tooSoon]);
    expect(unconfirmed(doseWarnings([], [none], []), [])).toEqual([]);
  });
});
