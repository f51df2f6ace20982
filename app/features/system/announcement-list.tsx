import { Form, useLocation } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

export interface AnnouncementView {
  id: string;
  title: string;
  text: string;
  isDismissible: boolean;
}

/** The operator's announcements, shown above every signed-in page. */
export function AnnouncementList({ announcements }: { announcements: readonly AnnouncementView[] }) {
  const { pathname, search } = useLocation();
  if (announcements.length === 0) return null;
  return (
    <section aria-label="Announcements" className="no-print mt-4 grid gap-3">
      {announcements.map(({ id, title, text, isDismissible }) => (
        <Notice key={id} title={title}>
          <p className="wrap-anywhere whitespace-pre-line">{text}</p>
          {isDismissible ? (
            <Form method="post" action="/dashboard/announcements/dismiss" className="mt-2">
              <input type="hidden" name="id" value={id} />
              <input type="hidden" name="redirectTo" value={`${pathname}${search}`} />
              <Button variant="plain" aria-label={`Dismiss: ${title}`}>
                Dismiss
              </Button>
            </Form>
          ) : null}
        </Notice>
      ))}
    </section>
  );
}
