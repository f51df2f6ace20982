import { Link } from '@remix-run/react';
import { EnableNotifications } from './browser-notifications.tsx';

/** A subscribed browser. */
export interface PushBrowserRow {
  id: string;
  browser: string;
  /** "9 Mar 2026, 08:30" */
  since: string;
}

/** The subscribed browsers, and a button to add this one. */
export function PushBrowsers({ browsers }: { browsers: readonly PushBrowserRow[] }) {
  return (
    <section aria-labelledby="push-browsers" className="sheet mt-8">
      <h2 id="push-browsers" className="px-4 pt-4">
        Push notifications
      </h2>
      <EnableNotifications />
      {browsers.length === 0 ? (
        <p className="px-4 pb-4 text-soft">No browser receives push notifications yet.</p>
      ) : (
        <ul>
          {browsers.map(({ id, browser, since }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 border-t border-line px-4">
              <span className="min-w-0 flex-1">{`${browser}, since ${since}`}</span>
              <Link
                to={`/dashboard/profile/notifications/${id}/remove`}
                className="inline-flex min-h-11 items-center"
              >
                Turn off<span className="sr-only">{` ${browser}`}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
