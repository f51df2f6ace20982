import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bySlot, slotEnd, slotStart } from '#app/domain/doses/time-slot.ts';

const at = (time: string) => new Date(`2026-03-10T${time}Z`);

describe('a time slot', () => {
  it.each([
    ['08:00:00', '08:00:00'],
    ['08:14:59.999', '08:00:00'],
    ['08:15:00', '08:15:00'],
    ['23:59:00', '23:45:00'],
  ])('of %s begins at %s', (due, start) => {
    expect(slotStart(at(due))).toEqual(at(start));
  });

  it('begins at a quarter of an hour on the clock of every zone, also of one with a quarter', () => {
    const start = slotStart(at('08:07:00'));
    const minutes = ['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Eucla'].map((timeZone) =>
      Number(new Intl.DateTimeFormat('en-GB', { minute: '2-digit', timeZone }).format(start)),
    );
    expect(minutes.map((minute) => minute % 15)).toEqual([0, 0, 0, 0]);
  });

  it('contains every due time that has its start, also before 1970', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, max: new Date('9999-12-31') }), (due) => {
        const start = slotStart(due);
        expect(start <= due && due < slotEnd(start)).toBe(true);
        expect(slotStart(start)).toEqual(slotStart(due));
        expect(slotStart(slotEnd(start))).not.toEqual(slotStart(due));
      }),
    );
  });

  it('keeps doses in order, and none is lost', () => {
    const times = ['08:00:00', '08:14:00', '20:00:00', '08:05:00', '08:15:00'];
    expect(bySlot(times, at)).toEqual([
      { start: at('08:00:00'), doses: ['08:00:00', '08:14:00', '08:05:00'] },
      { start: at('20:00:00'), doses: ['20:00:00'] },
      { start: at('08:15:00'), doses: ['08:15:00'] },
    ]);
  });
});
