"""What the page of `keysift serve` takes: first paint, counts, progress, frames, rows, many clients, memory."""
