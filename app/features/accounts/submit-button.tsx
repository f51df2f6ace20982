import { useNavigation } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';

interface SubmitButtonProps {
  label: string;
  /** While the form is being sent. */
  pendingLabel: string;
  /** Shown when the answer takes long (the style waits 3 s). */
  slowText?: string;
}

/** The wide button of a page with a single form. */
export function SubmitButton({ label, pendingLabel, slowText }: SubmitButtonProps) {
  const pending = useNavigation().state !== 'idle';
  return (
    <>
      <Button variant="primary" disabled={pending} className="w-full">
        {pending ? pendingLabel : label}
      </Button>
      {pending && slowText ? (
        <p role="status" className="slow-text text-sm text-soft">
          {slowText}
        </p>
      ) : null}
    </>
  );
}
