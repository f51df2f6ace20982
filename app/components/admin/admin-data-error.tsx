import { useLocation } from '@remix-run/react';
import { ERROR_WORDS } from '#app/domain/words/errors.ts';
import { MessagePage } from '../errors/message-page.tsx';
import { LinkButton } from '../ui/button.tsx';

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
