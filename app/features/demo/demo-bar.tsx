import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** Shown on every page of a demo, with its end and a link to registration. @param props.ends as text */
export function DemoBar({ ends }: { ends: string }) {
  return (
    <div className="no-print mt-4">
      <Notice
        title={`This is a demo. It ends on ${ends}`}
        actions={<LinkButton to="/register">Create your own account</LinkButton>}
      >
        The data is made up. Try everything: nothing is sent anywhere, and it is all deleted at the end.
      </Notice>
    </div>
  );
}
