import { LinkButton } from '#app/ui/button.tsx';
import { MessagePage } from './message-page.tsx';

/** A suspended user is signed out everywhere and reads this. */
export function Suspended({ supportEmail }: { supportEmail?: string }) {
  return (
    <MessagePage
      title="Account suspended"
      actions={
        <>
          {supportEmail ? (
            <a href={`mailto:${supportEmail}`} className="btn btn-primary">
              Contact support
            </a>
          ) : null}
          <LinkButton to="/">Go to the home page</LinkButton>
        </>
      }
    >
      <p role="alert">This account is suspended. Contact support.</p>
    </MessagePage>
  );
}
