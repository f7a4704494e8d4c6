"use client";

import { useRef } from "react";
import { Button, type ButtonProps } from "./button";

export interface FileButtonProps extends Omit<ButtonProps, "onClick"> {
  /** Types or endings that the browser offers, as those of an `<input>`. */
  accept: string;
  /** The name of what is chosen. */
  label: string;
  /** The same file may be chosen again. */
  onFile: (file: File) => void;
}

/** A button that lets people choose one file. */
export function FileButton({ accept, label, onFile, ...props }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...props} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (file) onFile(file);
        }}
      />
    </>
  );
}
