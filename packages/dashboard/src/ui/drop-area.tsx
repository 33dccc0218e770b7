import { type ReactNode, useState } from "react";

interface DropAreaProps {
  readonly className: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** Takes dropped files. A button that opens a file input does the same for the keyboard. */
export function DropArea({ className, onFiles, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is an alternative to the button.
    <section
      className={`${className} ${over ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
    </section>
  );
}
