import { Link } from '@remix-run/react';

/** Names to begin with, each a link to the form with the name filled in. */
export function TemplateLinks({ names, chosen }: { names: readonly string[]; chosen: string }) {
  return (
    <nav aria-label="Templates" className="mb-5">
      <p className="mb-1 text-sm text-soft">Begin with</p>
      <ul className="chips">
        {names.map((name) => (
          <li key={name}>
            <Link
              to={`/dashboard/tracking/side-effects/new?name=${encodeURIComponent(name)}`}
              className="chip"
              aria-current={name === chosen ? 'true' : undefined}
              preventScrollReset
            >
              {name}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/dashboard/tracking/side-effects/templates" className="chip chip-plain">
            Your own templates
          </Link>
        </li>
      </ul>
    </nav>
  );
}
