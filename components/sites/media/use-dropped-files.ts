"use client";

import { useEffect, useState } from "react";

/** Passes files dropped on the page or pasted. Returns true while files are dragged over it. */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => Boolean(event.dataTransfer?.types.includes("Files"));
    const drag = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setIsDraggedOver(true);
    };
    const leave = (event: DragEvent) => {
      // Between elements of the page, `relatedTarget` is the entered one.
      if (event.relatedTarget === null) setIsDraggedOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setIsDraggedOver(false);
      onFiles([...event.dataTransfer!.files]);
    };
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    document.addEventListener("dragover", drag);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("dragover", drag);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
      document.removeEventListener("paste", paste);
    };
  }, [onFiles]);
  return isDraggedOver;
}
