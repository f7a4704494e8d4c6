"use client";

import { useEffect, useState } from "react";

/** Calls `onFiles` with files dropped on the page or pasted. Returns true while files are dragged over it. */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => Boolean(event.dataTransfer?.types.includes("Files"));
    const handleDrag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsDraggedOver(true);
    };
    const handleLeave = (event: DragEvent) => {
      // `relatedTarget` is null only when the pointer leaves the page.
      if (event.relatedTarget === null) setIsDraggedOver(false);
    };
    const handleDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsDraggedOver(false);
      onFiles([...event.dataTransfer!.files]);
    };
    const handlePaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    document.addEventListener("dragover", handleDrag);
    document.addEventListener("dragleave", handleLeave);
    document.addEventListener("drop", handleDrop);
    document.addEventListener("paste", handlePaste);
    return () => {
      document.removeEventListener("dragover", handleDrag);
      document.removeEventListener("dragleave", handleLeave);
      document.removeEventListener("drop", handleDrop);
      document.removeEventListener("paste", handlePaste);
    };
  }, [onFiles]);
  return isDraggedOver;
}
