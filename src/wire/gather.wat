;; Gathers ranges of bytes that lie anywhere in the memory. Compiled by build.mjs.
(module
  (import "rows" "memory" (memory 0 65536 shared))

  ;; Copies ranges one after the other to `out`. Range i begins at the i-th u32 from `begins`
  ;; on and ends before the i-th from `ends` on; both lists have `bytes` bytes, at least 4.
  ;; Ranges have a byte at least, and none lies where anything is copied to.
  ;;
  ;; One byte of each cache line is read before any line is copied. These reads do not depend on
  ;; each other, so the processor waits for many lines at once; the first line of every range goes
  ;; before all others, since looking up where its page lies takes longer than the line.
  (func (export "gather") (param $begins i32) (param $ends i32) (param $bytes i32) (param $out i32)
    (local $i i32) (local $at i32) (local $end i32) (local $sum i32)
    (loop $ranges
      (local.set $sum
        (i32.add
          (local.get $sum)
          (i32.load8_u (i32.load (i32.add (local.get $begins) (local.get $i))))))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $ranges (i32.lt_u (local.get $i) (local.get $bytes))))

    (local.set $i (i32.const 0))
    (loop $ranges
      (local.set $at (i32.load (i32.add (local.get $begins) (local.get $i))))
      (local.set $end (i32.load (i32.add (local.get $ends) (local.get $i))))
      (loop $lines
        (local.set $sum (i32.add (local.get $sum) (i32.load8_u (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br_if $lines (i32.lt_u (local.get $at) (local.get $end))))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $ranges (i32.lt_u (local.get $i) (local.get $bytes))))

    ;; Where the first range goes in a moment, so that the reads are not optimized away.
    (i32.store8 (local.get $out) (local.get $sum))

    (local.set $i (i32.const 0))
    (loop $ranges
      (local.set $at (i32.load (i32.add (local.get $begins) (local.get $i))))
      (local.set $end (i32.load (i32.add (local.get $ends) (local.get $i))))
      (memory.copy
        (local.get $out)
        (local.get $at)
        (i32.sub (local.get $end) (local.get $at)))
      (local.set $out
        (i32.add (local.get $out) (i32.sub (local.get $end) (local.get $at))))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $ranges (i32.lt_u (local.get $i) (local.get $bytes))))))
