import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** On every page of a demo: that it is one, when it ends, and the way to an account. @param props.ends as text */
export function DemoBar({ ends }: { ends: string }) {
  return (
    <div className="no-print mt-4">
      <Notice
        title={`This is a demo. It ends on ${ends}`}
        actions={<LinkButton to="/register">Create your own account</LinkButton>}
      >
        Its year of data is made up. Try everything: nothing is sent anywhere, and all of it is deleted at the
        end.
      </Notice>
    </div>
  );
}
