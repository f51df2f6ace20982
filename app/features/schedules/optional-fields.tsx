import { Disclosure } from '#app/ui/disclosure.tsx';
import { TextArea } from '#app/ui/field.tsx';
import { CountField, errorAt, idOf, ScheduleField, type FormState } from './schedule-controls.tsx';
import type { SingleControl } from '#app/domain/schedules/schedule-form-schema.ts';
import { RampFields } from './dose-fields.tsx';

const ROUTES = ['Subcutaneous', 'Intramuscular', 'Intranasal', 'Oral', 'Topical'];

const isFilled = ({ values, errors }: FormState, names: readonly SingleControl[]) =>
  names.some((name) => Boolean(values.single[name]) || errorAt(errors, name) !== undefined);

/** What most schedules do without, folded away unless something is in it. */
export function MoreFields(state: FormState) {
  const ramp = isFilled(state, ['ramp.start', 'ramp.step', 'ramp.everyWeeks', 'ramp.target']);
  const course = isFilled(state, ['course.weeksOn', 'course.weeksOff']);
  const notes =
    isFilled(state, ['route', 'notes']) || errorAt(state.errors, 'reminderLeadMinutes') !== undefined;
  return (
    <section className="form-part" aria-label="More">
      <Disclosure summary="Dose that changes over time" open={ramp}>
        <RampFields {...state} />
      </Disclosure>
      <Disclosure summary="Weeks on and weeks off" open={course}>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <CountField
            {...state}
            name="course.weeksOn"
            label="With doses"
            unit="weeks"
            hint="Begins on the first day."
          />
          <CountField {...state} name="course.weeksOff" label="Without" unit="weeks" />
        </div>
      </Disclosure>
      <Disclosure summary="Reminder, route and notes" open={notes}>
        <div className="grid gap-4">
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            <CountField
              {...state}
              name="reminderLeadMinutes"
              label="Remind before"
              unit="minutes"
              hint="0 to 120. 0 reminds at the time itself."
            />
            <ScheduleField {...state} name="route" label="Route" maxLength={60} list="schedule-routes" />
          </div>
          <datalist id="schedule-routes">
            {ROUTES.map((route) => (
              <option key={route} value={route} />
            ))}
          </datalist>
          <TextArea
            name="notes"
            id={idOf('notes')}
            label="Notes"
            rows={3}
            defaultValue={state.values.single.notes}
            error={errorAt(state.errors, 'notes')}
          />
        </div>
      </Disclosure>
    </section>
  );
}
