import { Component, type ReactNode } from 'react';
import { ERROR_WORDS } from '#app/domain/messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

interface SectionBoundaryProps {
  /** What failed, in the reader's words: "The chart". */
  name: string;
  children: ReactNode;
}

function Failed({ name, onRetry }: { name: string; onRetry: () => void }) {
  const refresh = () => window.location.reload();
  return (
    <Notice
      tone="error"
      role="alert"
      title={ERROR_WORDS.title}
      actions={
        <>
          <Button type="button" onClick={refresh}>
            {ERROR_WORDS.refresh}
          </Button>
          <Button type="button" onClick={onRetry}>
            {ERROR_WORDS.again}
          </Button>
        </>
      }
    >
      <p>{`${name} cannot be shown. The rest of the page works.`}</p>
    </Notice>
  );
}

/** A part of a page whose failure must not take the page with it: a chart, the body map. */
export class SectionBoundary extends Component<SectionBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  private readonly retry = () => this.setState({ hasFailed: false });

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return <Failed name={this.props.name} onRetry={this.retry} />;
  }
}
