import { LinkButton } from '#app/ui/button.tsx';
import { MessagePage } from './message-page.tsx';

/** Any path that is not a page. */
export function NotFound() {
  return (
    <MessagePage
      title="404 - Page Not Found"
      actions={
        <>
          <LinkButton to="/" variant="primary">
            Go to the home page
          </LinkButton>
          <LinkButton to="/calculator">Open the calculator</LinkButton>
        </>
      }
    >
      <p>There is nothing at this address. It may have been mistyped, or what was here is gone.</p>
    </MessagePage>
  );
}
