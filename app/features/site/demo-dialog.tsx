import type { SubmissionResult } from '@conform-to/react';
import { DemoForm } from '#app/features/demo/index.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm, useAnsweredForm } from '#app/ui/forms/schema-form.tsx';

interface DemoDialogProps {
  action: string;
  closeHref: string;
  /** The demo is switched on. */
  hasDemo?: boolean;
  /** The answer to the waiting list's form. */
  lastResult?: SubmissionResult<string[]> | undefined;
}

/** Offers the demo, and a waiting list. */
export function DemoDialog({ action, closeHref, hasDemo = false, lastResult }: DemoDialogProps) {
  const [form, fields] = useAnsweredForm('demo-interest', ['email'], lastResult);
  return (
    <Dialog id="demo" title="Demo" closeHref={closeHref}>
      {lastResult?.status === 'success' ? (
        <>
          <p role="status">Thank you. We will use your address for this one message only.</p>
          <LinkButton to={closeHref} className="mt-5">
            Close
          </LinkButton>
        </>
      ) : (
        <>
          {hasDemo ? (
            <div className="mb-6 grid gap-4">
              <p>A year of made-up data in an account of your own, for 24 hours. Nothing is sent anywhere.</p>
              <DemoForm variant="primary" />
            </div>
          ) : null}
          <SchemaForm form={form} action={action}>
            <p>
              {hasDemo
                ? 'Or leave your email address and we will tell you when there is more to see.'
                : 'A demo is coming soon. Leave your email address and we will tell you when it is ready.'}
            </p>
            <Field {...fieldProps(fields.email)} type="email" label="Email" autoComplete="email" />
            <div className="flex flex-wrap gap-3">
              <Button {...(!hasDemo && { variant: 'primary' })}>Notify me</Button>
              <LinkButton to={closeHref}>Close</LinkButton>
            </div>
          </SchemaForm>
        </>
      )}
    </Dialog>
  );
}
