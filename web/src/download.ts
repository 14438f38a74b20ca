/** Hand a text to the user as a file. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  save(name, address);
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Save what lies at an address. */
export function save(name: string, address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** Show what lies at an address in a tab that knows nothing of this one. */
export function show(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  link.click();
}
