import { useLocation } from '@remix-run/react';
import { ERROR_WORDS } from '#app/domain/messages/error-messages.ts';
import { MessagePage } from '#app/ui/errors/message-page.tsx';
import { LinkButton } from '#app/ui/button.tsx';

/** What a page of the admin area shows when its figures could not be read. */
export function AdminDataError({ message = 'Failed to load admin stats' }: { message?: string }) {
  const { pathname, search } = useLocation();
  return (
    <MessagePage
      title={ERROR_WORDS.adminData}
      actions={
        <LinkButton to={`${pathname}${search}`} reloadDocument variant="primary">
          Retry
        </LinkButton>
      }
    >
      <p>{message}</p>
    </MessagePage>
  );
}
