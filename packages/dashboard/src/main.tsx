import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { ErrorBoundary } from "./ui/error-boundary.tsx";
import { Toasts } from "./ui/toasts.tsx";
import "@fontsource-variable/figtree";
import "./style/tokens.css";
import "./style/base.css";
import "./style/parts.css";
import "./style/shell.css";
import "./style/audio.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <Toasts>
          <App />
        </Toasts>
      </ErrorBoundary>
    </StrictMode>,
  );
}
