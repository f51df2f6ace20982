import { currentZone, zoneName } from '#app/domain/time/zoned-time.ts';
import { Form } from '@remix-run/react';
import { LinkButton, Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { useTimeZone } from '#app/ui/use-time-zone.ts';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

interface TravelNoticeProps {
  /** The time zone of the profile. */
  homeZone: string;
  /** Time zones of the schedules, and the zone in which the owner chose to keep home time. */
  schedules: readonly { isActive: boolean; timeZone: string; keptIn: string | null }[];
}

/** Offers a choice if this browser's time zone differs from the profile's. Needs scripts to detect the zone. */
export function TravelNotice({ homeZone, schedules }: TravelNoticeProps) {
  const here = useTimeZone();
  const isOpen = schedules.some(
    ({ isActive, timeZone, keptIn }) => isActive && currentZone(timeZone) !== here && keptIn !== here,
  );
  if (here === '' || here === currentZone(homeZone) || !isOpen) return null;
  const zone = zoneName(here);
  return (
    <Notice
      title={`This device is on ${zone} time`}
      role="status"
      actions={
        <LinkButton to={`/dashboard/schedule/travel?zone=${encodeURIComponent(here)}`}>
          Choose times
        </LinkButton>
      }
    >
      <p>Each of your schedules can keep home time or follow local time.</p>
    </Notice>
  );
}

/** A schedule with its doses of the next seven days, in home and in local time. */
interface ShownTravel {
  id: string;
  name: string;
  timeZone: string;
  isKept: boolean;
  doses: readonly { day: string; wallTime: string; keepingHome: string; followingLocal: string }[];
}

/** Asks for each schedule whether it keeps home time or follows local time. */
export function TravelForm({ zone, questions }: { zone: string; questions: readonly ShownTravel[] }) {
  const back = '/dashboard/schedule/all';
  if (questions.length === 0) {
    return (
      <section aria-labelledby="travel-title">
        <h2 id="travel-title" className="sr-only">
          Schedules
        </h2>
        <EmptyState title="Nothing to choose" action={<LinkButton to={back}>Back to schedules</LinkButton>}>
          <p>{`In ${zoneName(zone)}, none of your doses in the next seven days would be at a different time.`}</p>
        </EmptyState>
      </section>
    );
  }
  return (
    <Form
      method="post"
      action={`/dashboard/schedule/travel?zone=${encodeURIComponent(zone)}`}
      className="grid gap-6"
    >
      <p className="max-w-prose text-soft">
        {`All times are ${zoneName(zone)} time. Schedules without a choice stay as they are. You can change your own time zone in your profile.`}
      </p>
      {questions.map((question) => {
        const rows = question.doses.map((dose) => ({ ...dose, key: `${dose.day} ${dose.wallTime}` }));
        return (
          <fieldset key={question.id} className="form-part">
            <legend className="font-semibold break-words">{`${question.name} (${zoneName(question.timeZone)})`}</legend>
            <div className="grid sm:grid-cols-2">
              <label className="choice">
                <input
                  type="radio"
                  name={`choice.${question.id}`}
                  value="keep"
                  defaultChecked={question.isKept}
                />
                Keep home time
              </label>
              <label className="choice">
                <input type="radio" name={`choice.${question.id}`} value="follow" />
                Follow local time
              </label>
            </div>
            <DataTable
              caption={`${question.name}, the next seven days in local time`}
              rows={rows}
              rowKey={({ key }) => key}
              columns={[
                { key: 'dose', label: 'Dose', cell: ({ day, wallTime }) => `${day}, ${wallTime}` },
                {
                  key: 'keep',
                  label: 'Keep home time',
                  cell: ({ keepingHome }) => <LocalTime text={keepingHome} />,
                },
                {
                  key: 'follow',
                  label: 'Follow local time',
                  cell: ({ followingLocal }) => <LocalTime text={followingLocal} />,
                },
              ]}
            />
          </fieldset>
        );
      })}
      <div className="flex flex-wrap gap-3">
        <Button variant="primary">Save choices</Button>
        <LinkButton to={back} variant="plain">
          Cancel
        </LinkButton>
      </div>
    </Form>
  );
}

/** "08:58", or with the day if it differs. It may wrap, so that the table fits a phone. */
function LocalTime({ text }: { text: string }) {
  return <span className="figure whitespace-normal">{text}</span>;
}
