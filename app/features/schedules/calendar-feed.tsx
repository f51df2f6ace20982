import { Form } from '@remix-run/react';
import type { FeedPrivacy } from '#app/domain/schedules/calendar-events.ts';
import { Button, LinkButton, CopyButton } from '#app/ui/button.tsx';
import { Checkbox, RadioGroup } from '#app/ui/fields.tsx';
import { Notice } from '#app/ui/notice.tsx';

const PRIVACY: readonly { value: FeedPrivacy; label: string }[] = [
  { value: 'full', label: 'Names and amounts' },
  { value: 'name', label: 'Names' },
  { value: 'busy', label: 'Only “Busy”' },
];

function FeedChoices({ privacy, alarms }: { privacy: FeedPrivacy; alarms: boolean }) {
  return (
    <>
      <RadioGroup legend="What the calendar shows" name="privacy" options={PRIVACY} defaultValue={privacy} />
      <Checkbox
        name="alarms"
        label="With alarms"
        hint="Your calendar app reminds you of each open dose, as early as the schedule’s own reminder."
        defaultChecked={alarms}
      />
    </>
  );
}

/** The new address, which is shown only once. */
export function FeedLink({ link }: { link: string }) {
  return (
    <Notice tone="success" title="Your calendar link" role="status">
      <p>Subscribe to this address in your calendar app. It is shown only once.</p>
      <p className="my-2 font-code break-all" data-link>
        {link}
      </p>
      <CopyButton text={link} label="Copy link" />
    </Notice>
  );
}

/** Creates the first link. */
export function NewFeedForm() {
  return (
    <Form method="post" className="grid max-w-xl gap-4">
      <p className="text-soft">
        A link that your calendar app can subscribe to: all doses of the last 30 and next 35 days, shown at
        the right time wherever you are. Anyone with the link can read the calendar.
      </p>
      <FeedChoices privacy="name" alarms={false} />
      <input type="hidden" name="intent" value="link" />
      <div>
        <Button variant="primary">Create a calendar link</Button>
      </div>
    </Form>
  );
}

/** Changes or replaces the existing link. */
export function FeedForms({
  privacy,
  alarms,
  since,
}: {
  privacy: FeedPrivacy;
  alarms: boolean;
  since: string;
}) {
  return (
    <div className="grid max-w-xl gap-8">
      <Form method="post" className="grid gap-4">
        <p>{`Your calendar link has been on since ${since}.`}</p>
        <FeedChoices privacy={privacy} alarms={alarms} />
        <div className="flex flex-wrap gap-3">
          <Button variant="primary" name="intent" value="change">
            Save
          </Button>
          <Button name="intent" value="link">
            Create a new link
          </Button>
        </div>
        <p className="text-sm text-soft">A new link replaces the old one, which stops working.</p>
      </Form>
      <div>
        <LinkButton to="/dashboard/schedule/calendar-feed/off">Turn off the calendar link</LinkButton>
      </div>
    </div>
  );
}
