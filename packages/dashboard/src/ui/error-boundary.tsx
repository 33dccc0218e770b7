import { Component, type ReactNode } from "react";
import { ReloadOffer } from "./reload-offer.tsx";

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly failed: boolean;
}

/** Replaces what cannot be shown: a page whose script cannot be loaded, or one that fails. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failed: false };

  static getDerivedStateFromError(): ErrorBoundaryState {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <ReloadOffer /> : this.props.children;
  }
}
