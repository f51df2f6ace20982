import { WEEKDAY_NAMES } from '#app/domain/schedules/describe-schedule.ts';
import { WEEKDAYS, type FrequencyKind } from '#app/domain/schedules/schedule-rule.ts';
import { FieldError, type Option } from '#app/ui/fields.tsx';
import type { ZoneChoice } from '#app/domain/time/zoned-time.ts';
import { TimeZoneField } from '#app/ui/time-zone-field.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import {
  controlProps,
  CountField,
  errorAt,
  idOf,
  ScheduleField,
  ScheduleSelect,
  type FormState,
} from './schedule-controls.tsx';

interface Pattern {
  kind: FrequencyKind;
  label: string;
}

/** The patterns of most schedules. */
const COMMON: readonly Pattern[] = [
  { kind: 'daily', label: 'Every day' },
  { kind: 'weekdays', label: 'Chosen weekdays' },
  { kind: 'interval', label: 'Every few days' },
  { kind: 'as-needed', label: 'As needed' },
];

const RARER: readonly Pattern[] = [
  { kind: 'cycle', label: 'Days on, days off' },
  { kind: 'monthly', label: 'Every month' },
  { kind: 'after-last', label: 'Hours after the last dose' },
  { kind: 'once', label: 'Only once' },
];

/** Radio buttons that look like buttons. */
function Patterns({ patterns, chosen }: { patterns: readonly Pattern[]; chosen: string }) {
  return (
    <div className="segments patterns">
      {patterns.map(({ kind, label }) => (
        <label key={kind}>
          <input type="radio" name="frequency.kind" value={kind} defaultChecked={kind === chosen} />
          {label}
        </label>
      ))}
    </div>
  );
}

const MONTH_DAYS: readonly Option[] = [
  { value: '', label: 'Choose a day' },
  ...Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) })),
  { value: 'last', label: 'Last day' },
];

function WeekdayChoices({ values, errors }: FormState) {
  const error = errorAt(errors, 'frequency.weekdays');
  const chosen = values.lists['frequency.weekdays'];
  return (
    <fieldset aria-describedby={error ? `${idOf('frequency.weekdays')}-error` : undefined}>
      <legend className="mb-1 font-semibold">Weekdays</legend>
      <div className="weekdays">
        {WEEKDAYS.map((day) => (
          <label key={day} className="choice">
            <input
              type="checkbox"
              name="frequency.weekdays"
              value={day}
              defaultChecked={chosen.includes(day)}
            />
            {WEEKDAY_NAMES[day]}
          </label>
        ))}
      </div>
      {error ? <FieldError id={idOf('frequency.weekdays')} error={error} /> : null}
    </fieldset>
  );
}

/** How often: the kind and its fields. CSS hides the fields of other kinds if the browser supports `:has`. */
export function KindFields(state: FormState) {
  const chosen = state.values.single['frequency.kind'] ?? 'daily';
  const error = errorAt(state.errors, 'frequency.kind');
  return (
    <section className="form-part kinds" aria-labelledby="often-title">
      <h2 id="often-title">How often</h2>
      <fieldset
        id={idOf('frequency.kind')}
        tabIndex={-1}
        aria-describedby={error ? `${idOf('frequency.kind')}-error` : undefined}
      >
        <legend className="sr-only">How often</legend>
        <Patterns patterns={COMMON} chosen={chosen} />
        <Disclosure summary="More patterns" open={RARER.some(({ kind }) => kind === chosen)}>
          <Patterns patterns={RARER} chosen={chosen} />
        </Disclosure>
        {error ? <FieldError id={idOf('frequency.kind')} error={error} /> : null}
      </fieldset>
      <div className="kind-weekdays">
        <WeekdayChoices {...state} />
      </div>
      <div className="kind-interval">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <CountField
            {...state}
            name="frequency.every"
            label="Every"
            unit="days"
            hint="Counted from the first day."
          />
        </div>
      </div>
      <div className="kind-cycle">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <CountField {...state} name="frequency.on" label="On" unit="days" hint="Begins on the first day." />
          <CountField {...state} name="frequency.off" label="Off" unit="days" />
        </div>
      </div>
      <div className="kind-monthly">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <ScheduleSelect
            {...state}
            name="frequency.day"
            label="Day of the month"
            options={MONTH_DAYS}
            hint="The last day of shorter months."
          />
        </div>
      </div>
      <div className="kind-after-last">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <CountField
            {...state}
            name="frequency.everyHours"
            label="After"
            unit="hours"
            hint="The next dose is due this long after you took the last one."
          />
          <ScheduleField
            {...state}
            name="firstDueAt"
            label="First dose due"
            type="datetime-local"
            hint="Leave empty for the current time. Applies until you take the first dose."
          />
        </div>
      </div>
      <div className="kind-as-needed">
        <p className="pb-2 text-soft">
          Doses aren’t planned. Log each one on the Today page when you take it. Beyond these limits, you’ll
          be asked first.
        </p>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <CountField
            {...state}
            name="frequency.minGapHours"
            label="Minimum time between doses"
            unit="hours"
            hint="Leave empty for no minimum."
          />
          <CountField
            {...state}
            name="frequency.maxPerDay"
            label="Maximum doses a day"
            unit="doses"
            hint="Leave empty for no limit."
          />
        </div>
      </div>
    </section>
  );
}

const SHOWN_TIMES = 1;
const ALL_TIMES = 24;

function TimeInput({ index, state }: { index: number; state: FormState }) {
  const error = index === 0 ? errorAt(state.errors, 'times') : undefined;
  return (
    <div className="control">
      <input
        type="time"
        name="times"
        aria-label={`Time ${index + 1}`}
        defaultValue={state.values.lists.times[index] ?? ''}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${idOf('times')}-error` : undefined}
      />
    </div>
  );
}

/** Times of day: one input, the rest collapsed. */
export function TimeFields(state: FormState) {
  const error = errorAt(state.errors, 'times');
  const places = Array.from({ length: ALL_TIMES }, (_, index) => index);
  return (
    <fieldset id={idOf('times')} tabIndex={-1}>
      <legend className="mb-1 font-semibold">Time</legend>
      <div className="times">
        {places.slice(0, SHOWN_TIMES).map((index) => (
          <TimeInput key={index} index={index} state={state} />
        ))}
      </div>
      {error ? <FieldError id={idOf('times')} error={error} /> : null}
      <Disclosure summary="Add times" open={state.values.lists.times.length > SHOWN_TIMES}>
        <div className="times">
          {places.slice(SHOWN_TIMES).map((index) => (
            <TimeInput key={index} index={index} state={state} />
          ))}
        </div>
      </Disclosure>
    </fieldset>
  );
}

const SPAN = ['startDate', 'endDate', 'timeZone'] as const;

/** When: the time, and folded the first and last day and the time zone. */
export function SpanFields({ timeZones, ...state }: FormState & { timeZones: readonly ZoneChoice[] }) {
  const { values, errors } = state;
  const hasSpan = Boolean(values.single.endDate) || SPAN.some((name) => errorAt(errors, name) !== undefined);
  return (
    <section className="form-part" aria-label="When">
      <div className="timed">
        <TimeFields {...state} />
      </div>
      <Disclosure summary="First day, last day, time zone" open={hasSpan}>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <div className="first-day">
            <ScheduleField {...state} name="startDate" label="First day" type="date" />
          </div>
          <ScheduleField
            {...state}
            name="endDate"
            label="Last day"
            type="date"
            hint="Leave empty for no end date."
          />
        </div>
        <TimeZoneField
          {...controlProps(state, 'timeZone')}
          choices={timeZones}
          hint="08:00 stays 08:00 in this time zone, in summer and winter."
        />
      </Disclosure>
    </section>
  );
}
