import { Link } from '@remix-run/react';
import { useSite } from '#app/ui/site.ts';

/** Shown on every page of a demo, with its end and a link to registration. @param props.ends as text */
export function DemoBar({ ends }: { ends: string }) {
  const { hasSignUp } = useSite();
  return (
    <p className="frame-line no-print">
      {`Demo until ${ends}`}
      {hasSignUp ? <Link to="/register">Create account</Link> : null}
    </p>
  );
}
