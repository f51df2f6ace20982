import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton, CopyButton } from '#app/ui/button.tsx';
import { Checkbox, RadioGroup, Field, Select, TextArea } from '#app/ui/fields.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Sample } from './sample.tsx';

const UNITS = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];
const VARIANTS = ['primary', 'quiet', 'plain', 'danger'] as const;

/** Buttons, links that look like them, and badges. */
export function Buttons() {
  return (
    <>
      <Sample file="button.tsx">
        <div className="flex flex-wrap gap-3">
          {VARIANTS.map((variant) => (
            <Button key={variant} type="button" variant={variant}>
              {variant}
            </Button>
          ))}
          <Button type="button" disabled>
            disabled
          </Button>
          <Button type="button" variant="primary" aria-disabled data-busy>
            sending
          </Button>
          <LinkButton to="#button">a link</LinkButton>
        </div>
        <CopyButton text="5 mg + 2 ml = 2.50 mg/ml" />
      </Sample>
      <Sample file="badge.tsx">
        <div className="flex flex-wrap gap-3">
          <Badge>plain</Badge>
          <Badge tone="pen">pen</Badge>
          <Badge tone="soft">soft</Badge>
          <Badge tone="good">good</Badge>
          <Badge tone="warn">warn</Badge>
          <Badge tone="danger">danger</Badge>
        </div>
      </Sample>
    </>
  );
}

/** Form fields and their messages. */
export function Fields() {
  return (
    <>
      <Sample file="fields.tsx">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Field name="plain" label="Empty" />
          <Field name="hinted" label="With a hint" hint="Optional. As on the label." defaultValue="BPC-157" />
          <Field name="wrong" label="Refused" error="Enter a name of at most 100 characters" />
          <Field name="off" label="Disabled" disabled defaultValue="not now" />
          <Select name="unit" label="Select" options={UNITS} />
          <TextArea name="notes" label="Text area" defaultValue="Swirl, never shake." />
        </div>
        <Checkbox name="one" label="Chosen" defaultChecked />
        <Checkbox name="two" label="Refused" error="You must agree to the Terms of Service" />
        <Checkbox name="three" label="Disabled" disabled />
        <RadioGroup name="way" legend="Solve for" options={UNITS} defaultValue="mg" />
      </Sample>
      <Sample file="error-summary.tsx">
        <ErrorSummary errors={['Please fill in all fields']} />
      </Sample>
    </>
  );
}
