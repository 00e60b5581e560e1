import { RefreshCw } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Empty, StateText } from './states.tsx';

interface ErrorBoundaryProps {
  readonly title?: string;
  readonly children: ReactNode;
}

/** Replaces content that failed to load or render, usually because a server update removed its script. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert">
        <Empty icon={RefreshCw} title={this.props.title ?? 'This page could not be shown'}>
          <StateText>The dashboard may have been updated since you opened it.</StateText>
          <Button look="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        </Empty>
      </div>
    );
  }
}
