"use client";

import { useRef } from "react";
import { Button, type ButtonProps } from "./button";

export interface FileButtonProps extends Omit<ButtonProps, "onClick"> {
  accept: string;
  label: string;
  /** Also runs when the same file is chosen again. */
  onFile: (file: File) => void;
}

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
