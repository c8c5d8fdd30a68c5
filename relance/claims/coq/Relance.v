(** What an equilibrium of a betting game is, and how a certificate shows one. Sections 1 to 3 are all that a reader must believe;
    what follows them is proved. *)

From Coq Require Import QArith InitialRing Bool Lia.
From Coq Require Export List ZArith Field.
Import ListNotations.

(** * 1. Numbers: any ordered field, such as the rational numbers or the real ones *)

#[projections(primitive)]
Record ordered_field := {
  number :> Type;
  zero : number; one : number;
  plus : number -> number -> number; times : number -> number -> number; minus : number -> number -> number;
  opposite : number -> number; divide : number -> number -> number; inverse : number -> number;
  le : number -> number -> Prop;
  is_field : field_theory zero one plus times minus opposite divide inverse eq;
  le_trans : forall x y z, le x y -> le y z -> le x z;
  le_antisym : forall x y, le x y -> le y x -> x = y;
  le_total : forall x y, le x y \/ le y x;
  le_plus : forall x y z, le x y -> le (plus x z) (plus y z);
  le_times : forall x y, le zero x -> le zero y -> le zero (times x y)
}.

Arguments zero {_}. Arguments one {_}. Arguments plus {_}. Arguments times {_}. Arguments minus {_}.
Arguments opposite {_}. Arguments divide {_}. Arguments inverse {_}. Arguments le {_}.
Declare Scope number_scope.
Delimit Scope number_scope with num.

Notation "0" := zero : number_scope.
Notation "1" := one : number_scope.
Infix "+" := plus : number_scope.
Infix "*" := times : number_scope.
Infix "-" := minus : number_scope.
Notation "- x" := (opposite x) : number_scope.
Infix "/" := divide : number_scope.
Infix "<=" := le : number_scope.
Notation "x < y" := (le x y /\ x <> y) : number_scope.

(** * 2. Games *)

(** The public half: player 0 gets [pays], plus [stake] for a won showdown, minus [stake] for a lost one. At a choice, player 1 acts
    if [second] is true, else player 0; the actions are numbered from 0. *)
Inductive tree (N : Type) :=
| Terminal (pays stake : N)
| Choice (second : bool) (next : list (tree N)).
Arguments Terminal {_}. Arguments Choice {_}.

(** The private half: the possible hands of each player, the probability of each pair, and who wins: 1 for player 0, -1 for player 1. *)
Record deal (K : ordered_field) (A B : Type) := {
  hands0 : list A; hands1 : list B;
  joint : A -> B -> K; edge : A -> B -> K
}.
Arguments hands0 {_ _ _}. Arguments hands1 {_ _ _}. Arguments joint {_ _ _}. Arguments edge {_ _ _}.

(** How a player plays one hand: the probability of each action after each history, which lists the actions so far, the last one first.
    A behaviour strategy is a plan for each hand. *)
Definition plan (N : Type) := list nat -> nat -> N.

(** * 3. Equilibria *)

Section Equilibria.
  Variable K : ordered_field.
  Local Open Scope number_scope.

  Fixpoint sum {A} (l : list A) (f : A -> K) : K :=
    match l with [] => 0 | x :: rest => f x + sum rest f end.

  (** The expected chips of player 0 when two hands meet, after the actions [past]; [e] is the edge of the hands. *)
  Fixpoint chips (t : tree K) (past : list nat) (e : K) (first second : plan K) : K :=
    match t with
    | Terminal pays stake => pays + stake * e
    | Choice who next =>
        (fix over (k : nat) (l : list (tree K)) : K :=
          match l with
          | [] => 0
          | child :: rest =>
              (if who then second else first) past k * chips child (k :: past) e first second + over (S k) rest
          end) O next
    end.

  Definition value {A B} (t : tree K) (d : deal K A B) (first : A -> plan K) (second : B -> plan K) : K :=
    sum (hands0 d) (fun i => sum (hands1 d) (fun j => joint d i j * chips t [] (edge d i j) (first i) (second j))).

  (** A plan of player 1 ([me] is true) or player 0 is legal if the probabilities at each of the player's choices are at least 0 and sum to 1. *)
  Fixpoint legal (me : bool) (t : tree K) (past : list nat) (s : plan K) : Prop :=
    match t with
    | Terminal _ _ => True
    | Choice who next =>
        (who = me ->
          (forall k, (k < length next)%nat -> 0 <= s past k) /\ sum (seq 0 (length next)) (s past) = 1) /\
        (fix all (k : nat) (l : list (tree K)) : Prop :=
          match l with [] => True | child :: rest => legal me child (k :: past) s /\ all (S k) rest end) O next
    end.

  Definition strategy {A} (me : bool) (t : tree K) (hands : list A) (s : A -> plan K) : Prop :=
    forall hand, In hand hands -> legal me t [] (s hand).

  Definition distribution {A B} (d : deal K A B) : Prop :=
    (forall i j, In i (hands0 d) -> In j (hands1 d) -> 0 <= joint d i j) /\
    sum (hands0 d) (fun i => sum (hands1 d) (joint d i)) = 1.

  (** A Nash equilibrium with value [v] to player 0: no behaviour strategy of either player does better. *)
  Definition equilibrium {A B} (t : tree K) (d : deal K A B) (first : A -> plan K) (second : B -> plan K) (v : K) : Prop :=
    distribution d /\ strategy false t (hands0 d) first /\ strategy true t (hands1 d) second /\
    value t d first second = v /\
    (forall other, strategy false t (hands0 d) other -> value t d other second <= v) /\
    (forall other, strategy true t (hands1 d) other -> v <= value t d first other).

  (** Hands on [0, 1]: the higher hand wins. [m] cells follow each other from the worst; cell [k] has probability [p k] for player 0 and
      [q k] for player 1, and is cut into [parts k] parts, of which part [r] has the share [f k r]. Players know cell and part. *)
  Definition cells (m : nat) (parts : nat -> nat) : list (nat * nat) :=
    flat_map (fun k => map (pair k) (seq 0 (parts k))) (seq 0 m).

  Definition higher (i j : nat) : K := match Nat.compare i j with Gt => 1 | Eq => 0 | Lt => - (1) end.

  Definition interval (m : nat) (p q : nat -> K) (parts : nat -> nat) (f : nat -> nat -> K) : deal K (nat * nat) (nat * nat) := {|
    hands0 := cells m parts; hands1 := cells m parts;
    joint := fun i j => p (fst i) * f (fst i) (snd i) * (q (fst j) * f (fst j) (snd j));
    edge := fun i j => if Nat.eqb (fst i) (fst j) then higher (snd i) (snd j) else higher (fst i) (fst j)
  |}.

  (** The shares are those of a partition. *)
  Definition shares (m : nat) (parts : nat -> nat) (f : nat -> nat -> K) : Prop :=
    forall k, (k < m)%nat -> (forall r, (r < parts k)%nat -> 0 <= f k r) /\ sum (seq 0 (parts k)) (f k) = 1.

  (** An equilibrium on [0, 1]: however finely the cells are cut, no behaviour strategy that is constant on the parts does better. *)
  Definition equilibrium_on_interval (t : tree K) (m : nat) (p q : nat -> K) (first second : nat -> plan K) (v : K) : Prop :=
    forall parts f, shares m parts f ->
      equilibrium t (interval m p q parts f) (fun hand => first (fst hand)) (fun hand => second (fst hand)) v.
End Equilibria.

Arguments sum {_ _}. Arguments chips {_}. Arguments value {_ _ _}. Arguments legal {_}. Arguments strategy {_ _}.
Arguments distribution {_ _ _}. Arguments equilibrium {_ _ _}. Arguments higher {_}. Arguments interval {_}. Arguments shares {_}.
Arguments equilibrium_on_interval {_}.

(** * 4. Arithmetic in an ordered field *)

Section Arithmetic.
  Variable K : ordered_field.
  Local Open Scope number_scope.
  Add Field K_is_a_field : (is_field K).
  Implicit Types x y z : K.

  Lemma le_refl : forall x, x <= x.
  Proof. intro x; destruct (le_total K x x); assumption. Qed.

  Lemma le_minus : forall x y, 0 <= y - x <-> x <= y.
  Proof.
    intros x y; split; intro h.
    - replace x with (0 + x) by ring; replace y with (y - x + x) by ring; apply le_plus, h.
    - replace 0 with (x + - x) by ring; replace (y - x) with (y + - x) by ring; apply le_plus, h.
  Qed.

  Lemma plus_least : forall x y, 0 <= x -> 0 <= y -> 0 <= x + y.
  Proof. intros x y hx hy; apply (le_trans _ _ _ _ hx); apply le_minus; replace (x + y - x) with y by ring; exact hy. Qed.

  Lemma plus_le : forall x y a b, x <= a -> y <= b -> x + y <= a + b.
  Proof.
    intros x y a b h h'; apply le_minus; replace (a + b - (x + y)) with ((a - x) + (b - y)) by ring.
    apply plus_least; apply le_minus; assumption.
  Qed.

  Lemma times_le : forall x y z, 0 <= z -> x <= y -> z * x <= z * y.
  Proof.
    intros x y z hz h; apply le_minus; replace (z * y - z * x) with (z * (y - x)) by ring.
    apply le_times; [ exact hz | apply le_minus; exact h ].
  Qed.

  Lemma opposite_le : forall x y, x <= y -> - y <= - x.
  Proof. intros x y h; apply le_minus; replace (- x - - y) with (y - x) by ring; apply le_minus, h. Qed.

  Lemma square_least : forall x, 0 <= x * x.
  Proof.
    intro x; destruct (le_total K 0 x) as [h | h]; [ apply le_times; exact h | ].
    replace (x * x) with (- x * - x) by ring; apply le_times; replace 0 with (- 0 : K) by ring; apply opposite_le, h.
  Qed.

  Lemma one_least : 0 <= (1 : K).
  Proof. replace (1 : K) with (1 * 1 : K) by ring; apply square_least. Qed.

  Lemma one_not_zero : (1 : K) <> 0.
  Proof. exact (F_1_neq_0 (is_field K)). Qed.

  Lemma one_positive : 0 < (1 : K).
  Proof. split; [ exact one_least | intro h; apply one_not_zero; symmetry; exact h ]. Qed.

  Lemma plus_positive : forall x y, 0 < x -> 0 <= y -> 0 < x + y.
  Proof.
    intros x y [hx nx] hy; split; [ apply plus_least; assumption | intro h; apply nx, (le_antisym K); [ exact hx | ] ].
    rewrite h; apply le_minus; replace (x + y - x) with y by ring; exact hy.
  Qed.

  Lemma times_positive : forall x y, 0 < x -> 0 < y -> 0 < x * y.
  Proof.
    intros x y [hx nx] [hy ny]; split; [ apply le_times; assumption | intro h; apply ny ].
    replace y with (x * y / x) by (field; intro e; apply nx; symmetry; exact e).
    rewrite <- h; field; intro e; apply nx; symmetry; exact e.
  Qed.

  Lemma inverse_least : forall x, 0 < x -> 0 <= 1 / x.
  Proof.
    intros x [h n]; destruct (le_total K 0 (1 / x)) as [g | g]; [ exact g | ].
    exfalso; apply one_not_zero, (le_antisym K); [ | exact one_least ].
    apply le_minus; replace (0 - 1 : K) with (x * (- (1 / x))) by (field; intro e; apply n; symmetry; exact e).
    apply le_times; [ exact h | replace 0 with (- 0 : K) by ring; apply opposite_le, g ].
  Qed.

  Lemma divide_least : forall x y, 0 <= x -> 0 < y -> 0 <= x / y.
  Proof.
    intros x y hx hy; replace (x / y) with (x * (1 / y)) by (field; intro e; apply (proj2 hy); symmetry; exact e).
    apply le_times; [ exact hx | apply inverse_least, hy ].
  Qed.

  Lemma positive_not_zero : forall x, 0 < x -> x <> 0.
  Proof. intros x [_ n] h; apply n; symmetry; exact h. Qed.

  (** How a certificate shows an inequality. *)
  Lemma le_by : forall x y gap, y - x = gap -> 0 <= gap -> x <= y.
  Proof. intros x y gap h g; apply le_minus; rewrite h; exact g. Qed.

  Lemma two_positive : 0 < (1 + 1 : K).
  Proof. apply plus_positive; [ exact one_positive | exact one_least ]. Qed.

  Lemma double_le : forall x y, (1 + 1) * x <= (1 + 1) * y -> x <= y.
  Proof.
    intros x y h; pose proof (positive_not_zero _ two_positive) as n.
    replace x with (1 / (1 + 1) * ((1 + 1) * x)) by (field; exact n).
    replace y with (1 / (1 + 1) * ((1 + 1) * y)) by (field; exact n).
    apply times_le; [ apply inverse_least, two_positive | exact h ].
  Qed.

  (** Sums *)

  Lemma sum_ext : forall A (l : list A) (f g : A -> K), (forall a, In a l -> f a = g a) -> sum l f = sum l g.
  Proof.
    induction l as [| x l step]; intros f g h; [ reflexivity | cbn ].
    rewrite (h x), (step f g); [ reflexivity | intros; apply h; right; assumption | left; reflexivity ].
  Qed.

  Lemma sum_le : forall A (l : list A) (f g : A -> K), (forall a, In a l -> f a <= g a) -> sum l f <= sum l g.
  Proof.
    induction l as [| x l step]; intros f g h; cbn; [ apply le_refl | ].
    apply plus_le; [ apply h; left; reflexivity | apply step; intros; apply h; right; assumption ].
  Qed.

  Lemma sum_zero : forall A (l : list A), sum l (fun _ => 0 : K) = 0.
  Proof. induction l as [| x l step]; cbn; [ | rewrite step ]; ring. Qed.

  Lemma sum_least : forall A (l : list A) (f : A -> K), (forall a, In a l -> 0 <= f a) -> 0 <= sum l f.
  Proof. intros A l f h; rewrite <- (sum_zero A l); apply sum_le; exact h. Qed.

  Lemma sum_plus : forall A (l : list A) (f g : A -> K), sum l (fun a => f a + g a) = sum l f + sum l g.
  Proof. induction l as [| x l step]; intros f g; cbn; [ | rewrite step ]; ring. Qed.

  Lemma sum_times : forall A (l : list A) (c : K) (f : A -> K), sum l (fun a => c * f a) = c * sum l f.
  Proof. induction l as [| x l step]; intros c f; cbn; [ | rewrite step ]; ring. Qed.

  Lemma sum_swap : forall A B (l : list A) (k : list B) (f : A -> B -> K),
    sum l (fun i => sum k (f i)) = sum k (fun j => sum l (fun i => f i j)).
  Proof.
    induction l as [| x l step]; intros k f; cbn; [ symmetry; apply sum_zero | ].
    rewrite step, <- sum_plus; reflexivity.
  Qed.

  Lemma sum_app : forall A (l k : list A) (f : A -> K), sum (l ++ k) f = sum l f + sum k f.
  Proof. induction l as [| x l step]; intros k f; cbn; [ | rewrite step ]; ring. Qed.

  Lemma sum_map : forall A B (g : A -> B) (l : list A) (f : B -> K), sum (map g l) f = sum l (fun a => f (g a)).
  Proof. induction l as [| x l step]; intro f; cbn; [ | rewrite step ]; reflexivity. Qed.

  Lemma sum_flat_map : forall A B (g : A -> list B) (l : list A) (f : B -> K),
    sum (flat_map g l) f = sum l (fun a => sum (g a) f).
  Proof. induction l as [| x l step]; intro f; cbn; [ | rewrite sum_app, step ]; reflexivity. Qed.

  Lemma sum_opposite : forall A (l : list A) (f : A -> K), sum l (fun a => - f a) = - sum l f.
  Proof. induction l as [| x l step]; intro f; cbn; [ | rewrite step ]; ring. Qed.
End Arithmetic.

(** * 5. A pure best response suffices *)

(** What the player [me] can get in a subtree by pure plans, in some kind of summary: a list of all values, or the largest. The rows are the
    hands that the player may meet: a weight, the edge of the hands, and how the other player plays. *)
Section Best.
  Variables (S A : Type) (nought : S) (splus stimes : S -> S -> S) (leaf : S -> A) (join add : A -> A -> A).

  Definition row := (S * S * plan S)%type.

  Definition after (past : list nat) (k : nat) (w : list row) : list row :=
    map (fun '(x, e, o) => (stimes x (o past k), e, o)) w.

  Fixpoint best (me : bool) (t : tree S) (past : list nat) (w : list row) : A :=
    match t with
    | Terminal pays stake =>
        leaf (fold_right splus nought (map (fun '(x, e, _) => stimes x (splus pays (stimes stake e))) w))
    | Choice who next =>
        (fix over (k : nat) (l : list (tree S)) : A :=
          match l with
          | [] => leaf nought
          | child :: rest =>
              let here := best me child (k :: past) (if eqb who me then w else after past k w) in
              match rest with
              | [] => here
              | _ => (if eqb who me then join else add) here (over (Datatypes.S k) rest)
              end
          end) O next
    end.
End Best.
Arguments best {_ _}. Arguments after {_}.

Fixpoint map_tree {S T} (f : S -> T) (t : tree S) : tree T :=
  match t with
  | Terminal pays stake => Terminal (f pays) (f stake)
  | Choice who next => Choice who (map (map_tree f) next)
  end.

Definition map_plan {S T} (f : S -> T) (s : plan S) : plan T := fun past k => f (s past k).

Section Tree_induction.
  Variables (N : Type) (P : tree N -> Prop).
  Hypothesis terminal : forall pays stake, P (Terminal pays stake).
  Hypothesis choice : forall who next, Forall P next -> P (Choice who next).

  Fixpoint tree_induction (t : tree N) : P t :=
    match t with
    | Terminal pays stake => terminal pays stake
    | Choice who next =>
        choice who next ((fix all (l : list (tree N)) : Forall P l :=
          match l with [] => Forall_nil _ | child :: rest => Forall_cons _ (tree_induction child) (all rest) end) next)
    end.
End Tree_induction.

Section Sound.
  Variable K : ordered_field.
  Local Open Scope number_scope.
  Add Field K_is_also_a_field : (is_field K).

  Definition duel (me : bool) (t : tree K) past e (mine others : plan K) : K :=
    chips t past e (if me then others else mine) (if me then mine else others).

  Definition reply (me : bool) (t : tree K) (past : list nat) (w : list (row K)) (s : plan K) : K :=
    sum w (fun '(x, e, o) => x * duel me t past e s o).

  Fixpoint choice (who : bool) (l : list (tree K)) (k : nat) (past : list nat) (e : K) (first second : plan K) : K :=
    match l with
    | [] => 0
    | child :: rest =>
        (if who then second else first) past k * chips child (k :: past) e first second
        + choice who rest (S k) past e first second
    end.

  Lemma chips_choice : forall who l past e first second, chips (Choice who l) past e first second = choice who l 0 past e first second.
  Proof.
    intros who l past e first second; cbn; generalize O; induction l as [| child rest step]; intro k; [ reflexivity | cbn ].
    rewrite step; reflexivity.
  Qed.

  Fixpoint all_legal (me : bool) (l : list (tree K)) (k : nat) (past : list nat) (s : plan K) : Prop :=
    match l with [] => True | child :: rest => legal me child (k :: past) s /\ all_legal me rest (S k) past s end.

  Lemma legal_choice : forall me who l past s, legal me (Choice who l) past s ->
    (who = me -> (forall k, (k < length l)%nat -> 0 <= s past k) /\ sum (seq 0 (length l)) (s past) = 1) /\ all_legal me l 0 past s.
  Proof.
    intros me who l past s [h g]; split; [ exact h | clear h; revert g; generalize O ].
    induction l as [| child rest step]; intros k g; [ exact I | cbn ].
    destruct g as [g g']; split; [ exact g | apply step, g' ].
  Qed.

  Variables (N A : Type) (nought : N) (nplus ntimes : N -> N -> N) (leaf : N -> A) (join add : A -> A -> A).
  Variables (f : N -> K) (below : K -> A -> Prop).
  Hypothesis f_nought : f nought = 0.
  Hypothesis f_plus : forall x y, f (nplus x y) = f x + f y.
  Hypothesis f_times : forall x y, f (ntimes x y) = f x * f y.
  Hypothesis below_leaf : forall x, below (f x) (leaf x).
  Hypothesis below_less : forall x y a, x <= y -> below y a -> below x a.
  Hypothesis below_left : forall x a b, below x a -> below x (join a b).
  Hypothesis below_right : forall x a b, below x b -> below x (join a b).
  Hypothesis below_plus : forall x y a b, below x a -> below y b -> below (x + y) (add a b).

  Let best := best nought nplus ntimes leaf join add.

  Definition map_row (r : row N) : row K := let '(x, e, o) := r in (f x, f e, map_plan f o).

  Fixpoint best_over (who me : bool) (l : list (tree N)) (k : nat) (past : list nat) (w : list (row N)) : A :=
    match l with
    | [] => leaf nought
    | child :: rest =>
        let here := best me child (k :: past) (if eqb who me then w else after ntimes past k w) in
        match rest with
        | [] => here
        | _ => (if eqb who me then join else add) here (best_over who me rest (S k) past w)
        end
    end.

  Lemma best_choice : forall me who l past w, best me (Choice who l) past w = best_over who me l 0 past w.
  Proof.
    intros me who l past w; unfold best at 1; cbn [Relance.best]; generalize O.
    induction l as [| child rest step]; intro k; [ reflexivity | cbn [best_over] ].
    destruct rest; [ reflexivity | rewrite <- step; reflexivity ].
  Qed.

  Definition reply_over (who me : bool) (l : list (tree K)) (k : nat) (past : list nat) (w : list (row K)) (s : plan K) : K :=
    sum w (fun '(x, e, o) => x * choice who l k past e (if me then o else s) (if me then s else o)).

  Lemma reply_own : forall me child rest k past w s,
    reply_over me me (child :: rest) k past w s = s past k * reply me child (k :: past) w s + reply_over me me rest (S k) past w s.
  Proof.
    intros me child rest k past w s; unfold reply_over, reply; rewrite <- sum_times, <- sum_plus.
    apply sum_ext; intros [[x e] o] _; cbn; unfold duel; destruct me; ring.
  Qed.

  Lemma reply_other : forall me child rest k past w s,
    reply_over (negb me) me (child :: rest) k past w s =
    reply me child (k :: past) (after times past k w) s + reply_over (negb me) me rest (S k) past w s.
  Proof.
    intros me child rest k past w s; unfold reply_over, reply, after; rewrite sum_map, <- sum_plus.
    apply sum_ext; intros [[x e] o] _; cbn; unfold duel; destruct me; cbn; ring.
  Qed.

  Lemma map_after : forall past k w, after times past k (map map_row w) = map map_row (after ntimes past k w).
  Proof.
    intros past k w; unfold after; rewrite !map_map; apply map_ext; intros [[x e] o]; cbn.
    unfold map_plan; rewrite f_times; reflexivity.
  Qed.

  Theorem best_sound : forall me t past w s, legal me (map_tree f t) past s ->
    below (reply me (map_tree f t) past (map map_row w) s) (best me t past w).
  Proof.
    intros me t; induction t as [pays stake | who next all] using tree_induction; intros past w s ok.
    - replace (reply _ _ _ _ _) with
        (f (fold_right nplus nought (map (fun '(x, e, _) => ntimes x (nplus pays (ntimes stake e))) w))); [ apply below_leaf | ].
      unfold reply; rewrite sum_map; induction w as [| [[x e] o] w step]; [ exact f_nought | cbn in * ].
      rewrite f_plus, step, f_times, f_plus, f_times; unfold duel; cbn; ring.
    - apply legal_choice in ok; destruct ok as [mine rest_ok]; rewrite best_choice; cbn [map_tree] in *.
      replace (reply _ _ _ _ _) with (reply_over who me (map (map_tree f) next) 0 past (map map_row w) s)
        by (unfold reply, reply_over, duel; apply sum_ext; intros [[x e] o] _; rewrite chips_choice; reflexivity).
      destruct (bool_dec who me) as [same | other].
      + subst who; destruct (mine eq_refl) as [least one]; rewrite map_length in *.
        assert (step : forall l k, Forall (fun t => forall past w s, legal me (map_tree f t) past s ->
            below (reply me (map_tree f t) past (map map_row w) s) (best me t past w)) l ->
          all_legal me (map (map_tree f) l) k past s -> (forall j, (k <= j < k + length l)%nat -> 0 <= s past j) -> l <> [] ->
          exists y, below y (best_over me me l k past w) /\
            reply_over me me (map (map_tree f) l) k past (map map_row w) s <= sum (seq k (length l)) (s past) * y).
        { clear mine least one rest_ok all; induction l as [| child rest step]; intros k all ok least some; [ contradiction | clear some ].
          inversion_clear all as [| ? ? here others]; destruct ok as [ok oks].
          specialize (here (k :: past)%list w s ok); cbn [map]; rewrite reply_own.
          cbn [best_over length seq sum]; rewrite eqb_reflx.
          assert (p_least : 0 <= s past k) by (apply least; cbn; lia).
          destruct rest as [| second rest].
          - eexists; split; [ exact here | cbn ].
            replace (reply_over me me [] (S k) past (map map_row w) s) with (0 : K);
              [ replace ((s past k + 0) * reply me (map_tree f child) (k :: past) (map map_row w) s)
                  with (s past k * reply me (map_tree f child) (k :: past) (map map_row w) s + 0) by ring; apply le_refl | ].
            symmetry; unfold reply_over; rewrite <- (sum_zero K _ (map map_row w)) at 1.
            apply sum_ext; intros [[x e] o] _; cbn; ring.
          - destruct (step (S k) others oks) as [y [under less]]; [ intros j range; apply least; cbn in *; lia | discriminate | ].
            set (r := reply me (map_tree f child) (k :: past) (map map_row w) s) in *.
            set (total := sum (seq (S k) (length (second :: rest))) (s past)) in *.
            assert (total_least : 0 <= total).
            { apply sum_least; intros j range; apply in_seq in range; apply least; cbn in *; lia. }
            replace ((s past k + total) * y) with (s past k * y + total * y) by ring.
            destruct (le_total K r y) as [order | order].
            + exists y; split; [ apply below_right, under | ].
              replace ((s past k + total) * y) with (s past k * y + total * y) by ring.
              apply plus_le; [ apply times_le; assumption | exact less ].
            + exists r; split; [ apply below_left, here | ].
              replace ((s past k + total) * r) with (s past k * r + total * r) by ring.
              apply plus_le; [ apply le_refl | eapply le_trans; [ exact less | apply times_le; assumption ] ]. }
        destruct next as [| child rest].
        * exfalso; apply (one_not_zero K); symmetry; exact one.
        * destruct (step (child :: rest) 0%nat all rest_ok) as [y [under less]]; [ intros j range; apply least; lia | discriminate | ].
          apply (below_less _ y); [ | exact under ].
          rewrite one in less; replace y with (1 * y) by ring; exact less.
      + assert (who = negb me) by (destruct who, me; try reflexivity; contradiction other; reflexivity); subst who.
        clear mine other; revert rest_ok; generalize O.
        induction all as [| child rest here others step]; intros k ok; cbn [map].
        * replace (reply_over _ _ _ _ _ _ _) with (f nought); [ apply below_leaf | ].
          rewrite f_nought; unfold reply_over; rewrite <- (sum_zero K _ (map map_row w)).
          apply sum_ext; intros [[x e] o] _; cbn; ring.
        * destruct ok as [ok oks]; rewrite reply_other; cbn [best_over]; rewrite eqb_negb1.
          specialize (here (k :: past)%list (after ntimes past k w) s ok); rewrite <- map_after in here.
          specialize (step (S k) oks).
          destruct rest as [| second rest]; [ | apply below_plus; assumption ].
          replace (reply_over _ _ _ _ _ _ _) with (0 : K);
            [ replace (reply me (map_tree f child) (k :: past) (after times past k (map map_row w)) s + 0)
                with (reply me (map_tree f child) (k :: past) (after times past k (map map_row w)) s) by ring; exact here | ].
          unfold reply_over; rewrite <- (sum_zero K _ (map map_row w)).
          apply sum_ext; intros [[x e] o] _; cbn; ring.
  Qed.
End Sound.

(** * 6. Certificates: what bounds every reply shows an equilibrium *)

Section Certificates.
  Variable K : ordered_field.
  Local Open Scope number_scope.
  Add Field K_is_a_field_too : (is_field K).

  Lemma equilibrium_by_bounds : forall A B (t : tree K) (d : deal K A B) first second v,
    distribution d -> strategy false t (hands0 d) first -> strategy true t (hands1 d) second ->
    (forall other, strategy false t (hands0 d) other -> value t d other second <= v) ->
    (forall other, strategy true t (hands1 d) other -> v <= value t d first other) ->
    equilibrium t d first second v.
  Proof.
    intros A B t d first second v lawful ok0 ok1 most least; repeat split; try apply lawful; try assumption.
    apply (le_antisym K); [ apply most, ok0 | apply least, ok1 ].
  Qed.

  Theorem equilibrium_by_replies : forall A B (t : tree K) (d : deal K A B) first second (c0 : A -> K) (c1 : B -> K) v,
    distribution d -> strategy false t (hands0 d) first -> strategy true t (hands1 d) second ->
    (forall i, In i (hands0 d) -> forall s, legal false t [] s ->
      reply K false t [] (map (fun j => (joint d i j, edge d i j, second j)) (hands1 d)) s <= c0 i) ->
    (forall j, In j (hands1 d) -> forall s, legal true t [] s ->
      reply K true t [] (map (fun i => (- joint d i j, edge d i j, first i)) (hands0 d)) s <= c1 j) ->
    sum (hands0 d) c0 = v -> sum (hands1 d) c1 = - v -> equilibrium t d first second v.
  Proof.
    intros A B t d first second c0 c1 v lawful ok0 ok1 bound0 bound1 sum0 sum1.
    apply equilibrium_by_bounds; try assumption.
    - intros other ok; rewrite <- sum0; apply sum_le; intros i here.
      specialize (bound0 i here (other i) (ok i here)); unfold reply in bound0; rewrite sum_map in bound0; exact bound0.
    - intros other ok; unfold value; rewrite sum_swap.
      replace v with (- - v) by ring; rewrite <- sum1, <- sum_opposite; apply sum_le; intros j here.
      specialize (bound1 j here (other j) (ok j here)); unfold reply in bound1; rewrite sum_map in bound1.
      apply opposite_le in bound1; eapply le_trans; [ exact bound1 | ].
      rewrite <- sum_opposite; replace (sum _ _) with
        (sum (hands0 d) (fun i => joint d i j * chips t [] (edge d i j) (first i) (other j))); [ apply le_refl | ].
      apply sum_ext; intros i _; unfold duel; ring.
  Qed.

  (** ** Hands on [0, 1] *)

  Lemma chips_affine : forall t past (first second : plan K),
    exists c b, forall e, chips t past e first second = c + b * e.
  Proof.
    intros t; induction t as [pays stake | who next every] using tree_induction; intros past first second.
    - exists pays, stake; reflexivity.
    - cut (forall k, exists c b, forall e, choice K who next k past e first second = c + b * e).
      { intro found; destruct (found O) as [c [b same]]; exists c, b; intro e; rewrite chips_choice; apply same. }
      induction every as [| child rest here others step]; intro k.
      + exists 0, 0; intro e; cbn; ring.
      + destruct (here (k :: past)%list first second) as [c [b same]]; destruct (step (S k)) as [c' [b' same']].
        set (x := (if who then second else first) past k).
        exists (x * c + c'), (x * b + b'); intro e; cbn; rewrite same, same'; fold x; ring.
  Qed.

  Lemma higher_flip : forall i j, higher (K := K) i j = - higher j i.
  Proof. intros i j; unfold higher; rewrite (Nat.compare_antisym i j); destruct (Nat.compare i j); cbn; ring. Qed.

  Lemma higher_range : forall i j, - (1) <= higher (K := K) i j /\ higher (K := K) i j <= 1.
  Proof.
    assert (one : - (1) <= (1 : K)).
    { apply (le_trans K _ 0); [ | apply one_least ].
      replace 0 with (- 0 : K) by ring; apply opposite_le, one_least. }
    assert (nought : - (1) <= (0 : K)) by (replace 0 with (- 0 : K) by ring; apply opposite_le, one_least).
    intros i j; unfold higher; destruct (Nat.compare i j); split; try apply le_refl; try apply one_least; assumption.
  Qed.

  Section Interval.
    Variables (m : nat) (parts : nat -> nat) (f : nat -> nat -> K).
    Hypothesis partition : shares m parts f.
    Variables (me : bool) (t : tree K) (mine others : nat -> K) (opponent : nat -> plan K).
    Hypothesis mine_least : forall k, (k < m)%nat -> 0 <= mine k.
    Hypothesis others_least : forall k, (k < m)%nat -> 0 <= others k.

    Definition sign (x : K) : K := if me then - x else x.
    Definition side (i j : nat) : K := if me then higher j i else higher i j.

    (** The hands that a player's cell may meet, if the hand wins ([e] is 1 to player 0), or loses, against the same cell. *)
    Definition met (k : nat) (e : K) : list (row K) :=
      map (fun l => (sign (mine k * others l), if Nat.eqb k l then e else side k l, opponent l)) (seq 0 m).

    Definition middle (k r : nat) : K := sum (seq 0 (parts k)) (fun s => f k s * side r s).

    Lemma sum_cells : forall g : nat * nat -> K,
      sum (cells m parts) g = sum (seq 0 m) (fun k => sum (seq 0 (parts k)) (fun r => g (k, r))).
    Proof. intro g; unfold cells; rewrite sum_flat_map; apply sum_ext; intros k _; apply sum_map. Qed.

    Lemma middle_range : forall k r, (k < m)%nat -> - (1) <= middle k r /\ middle k r <= 1.
    Proof.
      intros k r range; destruct (partition k range) as [least one]; unfold middle.
      assert (constant : forall c, sum (seq 0 (parts k)) (fun s => f k s * c) = c).
      { intro c; transitivity (c * sum (seq 0 (parts k)) (f k)); [ | rewrite one; ring ].
        rewrite <- sum_times; apply sum_ext; intros; ring. }
      split; [ rewrite <- (constant (- (1))) at 1 | rewrite <- (constant 1) ]; apply sum_le; intros s inside; apply in_seq in inside;
        (apply times_le; [ apply least; lia | unfold side; destruct me; apply higher_range ]).
    Qed.

    Lemma middles_cancel : forall k, sum (seq 0 (parts k)) (fun r => f k r * middle k r) = 0.
    Proof.
      intro k; set (x := sum _ _).
      assert (flip : x = - x).
      { unfold x at 1, middle.
        transitivity (sum (seq 0 (parts k)) (fun r => sum (seq 0 (parts k)) (fun s => f k r * (f k s * side r s)))).
        { apply sum_ext; intros; rewrite sum_times; reflexivity. }
        rewrite sum_swap; unfold x; rewrite <- sum_opposite; apply sum_ext; intros r _; unfold middle.
        rewrite <- sum_times, <- sum_opposite; apply sum_ext; intros s _; unfold side.
        destruct me; rewrite (higher_flip s r); ring. }
      replace x with (1 / (1 + 1) * (x + x)) by (field; apply positive_not_zero, two_positive).
      rewrite flip at 1; ring.
    Qed.

    Lemma met_average : forall k r s, (k < m)%nat -> (r < parts k)%nat ->
      sum (cells m parts) (fun j =>
        sign (mine k * f k r * (others (fst j) * f (fst j) (snd j))) *
        duel K me t [] (if Nat.eqb k (fst j) then side r (snd j) else side k (fst j)) s (opponent (fst j)))
      = f k r * reply K me t [] (met k (middle k r)) s.
    Proof.
      intros k r s inside part; rewrite sum_cells; unfold reply, met; rewrite sum_map, <- sum_times.
      apply sum_ext; intros l inside'; apply in_seq in inside'; cbn [fst snd].
      destruct (partition l) as [least one]; [ lia | ].
      assert (affine : exists c b, forall e, duel K me t [] e s (opponent l) = c + b * e)
        by (unfold duel; destruct me; apply chips_affine).
      destruct affine as [c [b same]]; rewrite same.
      transitivity (f k r * sign (mine k * others l) *
        (c * sum (seq 0 (parts l)) (f l) + b * sum (seq 0 (parts l)) (fun s => f l s * (if Nat.eqb k l then side r s else side k l)))).
      { rewrite <- !sum_times, <- sum_plus, <- sum_times; apply sum_ext; intros s' _; rewrite same; unfold sign; destruct me; ring. }
      rewrite one; destruct (Nat.eqb_spec k l) as [equal | different].
      - subst l; unfold middle; ring.
      - replace (sum (seq 0 (parts l)) (fun s' => f l s' * side k l)) with (side k l);
          [ ring | transitivity (sum (seq 0 (parts l)) (fun s' => side k l * f l s')); [ rewrite sum_times, one; ring | apply sum_ext; intros; ring ] ].
    Qed.

    Lemma met_affine : forall k s, exists c b, forall e, reply K me t [] (met k e) s = c + b * e.
    Proof.
      intros k s; unfold met; generalize (seq 0 m); induction l as [| l rest step].
      - exists 0, 0; intro e; unfold reply; cbn; ring.
      - destruct step as [c [b same]].
        assert (affine : exists c b, forall e, duel K me t [] e s (opponent l) = c + b * e)
          by (unfold duel; destruct me; apply chips_affine).
        destruct affine as [c' [b' same']]; destruct (Nat.eqb k l) eqn:equal.
        + exists (sign (mine k * others l) * c' + c), (sign (mine k * others l) * b' + b); intro e.
          unfold reply in *; cbn; rewrite same, equal, same'; ring.
        + exists (sign (mine k * others l) * (c' + b' * side k l) + c), b; intro e.
          unfold reply in *; cbn; rewrite same, equal, same'; ring.
    Qed.

    Variables low high : nat -> K.
    Hypothesis low_bounds : forall k, (k < m)%nat -> forall s, legal me t [] s -> reply K me t [] (met k (- (1))) s <= low k.
    Hypothesis high_bounds : forall k, (k < m)%nat -> forall s, legal me t [] s -> reply K me t [] (met k 1) s <= high k.

    Lemma reply_between : forall k s e, (k < m)%nat -> legal me t [] s -> - (1) <= e -> e <= 1 ->
      (1 + 1) * reply K me t [] (met k e) s <= (low k + high k) + (high k - low k) * e.
    Proof.
      intros k s e inside ok from to; specialize (low_bounds k inside s ok); specialize (high_bounds k inside s ok).
      destruct (met_affine k s) as [c [b same]]; rewrite !same in *.
      replace ((1 + 1) * (c + b * e)) with ((1 - e) * (c + b * - (1)) + (1 + e) * (c + b * 1)) by ring.
      replace (low k + high k + (high k - low k) * e) with ((1 - e) * low k + (1 + e) * high k) by ring.
      apply plus_le; apply times_le; try assumption.
      - apply le_minus, to.
      - replace (1 + e) with (e - - (1)) by ring; apply le_minus, from.
    Qed.

    Lemma on_cells : forall s : nat * nat -> plan K, (forall hand, In hand (cells m parts) -> legal me t [] (s hand)) ->
      (1 + 1) * sum (cells m parts) (fun i => sum (cells m parts) (fun j =>
        sign (mine (fst i) * f (fst i) (snd i) * (others (fst j) * f (fst j) (snd j))) *
        duel K me t [] (if Nat.eqb (fst i) (fst j) then side (snd i) (snd j) else side (fst i) (fst j)) (s i) (opponent (fst j))))
      <= sum (seq 0 m) (fun k => low k + high k).
    Proof.
      intros s ok; rewrite (sum_cells (fun i => sum _ _)), <- sum_times; apply sum_le; intros k inside.
      apply in_seq in inside; destruct (partition k) as [least one]; [ lia | cbn [fst snd] ].
      apply (le_trans K _ (sum (seq 0 (parts k)) (fun r => f k r * ((low k + high k) + (high k - low k) * middle k r)))).
      - rewrite <- sum_times; apply sum_le; intros r part; apply in_seq in part.
        rewrite met_average by lia.
        replace ((1 + 1) * (f k r * reply K me t [] (met k (middle k r)) (s (k, r))))
          with (f k r * ((1 + 1) * reply K me t [] (met k (middle k r)) (s (k, r)))) by ring.
        apply times_le; [ apply least; lia | ].
        apply reply_between; [ lia | | apply middle_range; lia | apply middle_range; lia ].
        apply ok; unfold cells; apply in_flat_map; exists k; split; [ apply in_seq; lia | ].
        apply in_map_iff; exists r; split; [ reflexivity | apply in_seq; lia ].
      - replace (sum _ _) with ((low k + high k) * sum (seq 0 (parts k)) (f k)
            + (high k - low k) * sum (seq 0 (parts k)) (fun r => f k r * middle k r));
          [ rewrite one, middles_cancel; replace ((low k + high k) * 1 + (high k - low k) * 0) with (low k + high k) by ring; apply le_refl | ].
        rewrite <- !sum_times, <- sum_plus; apply sum_ext; intros; ring.
    Qed.
  End Interval.

  Theorem equilibrium_on_interval_by_replies :
    forall (t : tree K) m (p q : nat -> K) (first second : nat -> plan K) (low0 high0 low1 high1 : nat -> K) v,
    (forall k, (k < m)%nat -> 0 <= p k) -> (forall k, (k < m)%nat -> 0 <= q k) -> sum (seq 0 m) p = 1 -> sum (seq 0 m) q = 1 ->
    strategy false t (seq 0 m) first -> strategy true t (seq 0 m) second ->
    (forall k, (k < m)%nat -> forall s, legal false t [] s -> reply K false t [] (met m false p q second k (- (1))) s <= low0 k) ->
    (forall k, (k < m)%nat -> forall s, legal false t [] s -> reply K false t [] (met m false p q second k 1) s <= high0 k) ->
    (forall k, (k < m)%nat -> forall s, legal true t [] s -> reply K true t [] (met m true q p first k (- (1))) s <= low1 k) ->
    (forall k, (k < m)%nat -> forall s, legal true t [] s -> reply K true t [] (met m true q p first k 1) s <= high1 k) ->
    sum (seq 0 m) (fun k => low0 k + high0 k) = v + v -> sum (seq 0 m) (fun k => low1 k + high1 k) = - (v + v) ->
    equilibrium_on_interval t m p q first second v.
  Proof.
    intros t m p q first second low0 high0 low1 high1 v p_least q_least p_one q_one ok0 ok1 bl0 bh0 bl1 bh1 total0 total1 parts f partition.
    assert (whole_cells : forall g : nat -> K, sum (cells m parts) (fun i => g (fst i) * f (fst i) (snd i)) = sum (seq 0 m) g).
    { intro g; rewrite sum_cells; apply sum_ext; intros k inside; cbn [fst snd]; apply in_seq in inside.
      rewrite sum_times; destruct (partition k) as [_ one]; [ lia | rewrite one; ring ]. }
    assert (cell : forall hand, In hand (cells m parts) -> (fst hand < m)%nat /\ (snd hand < parts (fst hand))%nat).
    { intros hand here; unfold cells in here; apply in_flat_map in here; destruct here as [k [inside here]].
      apply in_map_iff in here; destruct here as [r [same part]]; subst hand; apply in_seq in inside, part; cbn; lia. }
    apply equilibrium_by_bounds.
    - split; cbn [interval hands0 hands1 joint].
      + intros i j here here'; apply cell in here, here'.
        destruct (partition (fst i)) as [least _]; [ apply here | ]; destruct (partition (fst j)) as [least' _]; [ apply here' | ].
        apply le_times; apply le_times; [ apply p_least | apply least | apply q_least | apply least' ]; tauto.
      + transitivity (sum (cells m parts) (fun i => p (fst i) * f (fst i) (snd i)));
          [ | rewrite whole_cells; exact p_one ].
        apply sum_ext; intros i _; rewrite sum_times, whole_cells, q_one; ring.
    - intros hand here; apply ok0, in_seq; apply cell in here; lia.
    - intros hand here; apply ok1, in_seq; apply cell in here; lia.
    - intros other ok; apply double_le; replace ((1 + 1) * v) with (v + v) by ring; rewrite <- total0.
      exact (on_cells m parts f partition false t p q second low0 high0 bl0 bh0 other ok).
    - intros other ok; apply double_le; replace ((1 + 1) * v) with (- - (v + v)) by ring; rewrite <- total1.
      replace ((1 + 1) * value t _ _ _) with (- ((1 + 1) * - value t (interval m p q parts f) (fun hand => first (fst hand)) other)) by ring.
      apply opposite_le.
      eapply le_trans; [ | exact (on_cells m parts f partition true t q p first low1 high1 bl1 bh1 other ok) ].
      replace (- value t (interval m p q parts f) (fun hand => first (fst hand)) other) with
        (sum (cells m parts) (fun i => sum (cells m parts) (fun j =>
          sign true (q (fst i) * f (fst i) (snd i) * (p (fst j) * f (fst j) (snd j))) *
          duel K true t [] (if Nat.eqb (fst i) (fst j) then side true (snd i) (snd j) else side true (fst i) (fst j)) (other i)
            (first (fst j))))); [ apply le_refl | ].
      unfold value; cbn [interval hands0 hands1 joint edge]; rewrite sum_swap, <- sum_opposite; apply sum_ext; intros i _.
      rewrite <- sum_opposite; apply sum_ext; intros j _; unfold sign, duel, side; rewrite (Nat.eqb_sym (fst j)); ring.
  Qed.
End Certificates.

(** * 7. Symbols: lists of all values of pure plans *)

Definition any_below {K : ordered_field} (x : K) (l : list K) : Prop := exists y, In y l /\ le x y.

Definition options {K : ordered_field} : bool -> tree K -> list nat -> list (row K) -> list K :=
  best zero plus times (fun x => [x]) (@app K) (fun l k => flat_map (fun x => map (plus x) k) l).

Lemma map_tree_same : forall N (t : tree N), map_tree (fun x => x) t = t.
Proof.
  intros N t; induction t as [| who next every] using tree_induction; [ reflexivity | cbn; f_equal ].
  induction every as [| child rest here others step]; [ reflexivity | cbn; rewrite here, step; reflexivity ].
Qed.

Theorem options_bound : forall (K : ordered_field) me t w (c : K),
  Forall (fun y => le y c) (options me t [] w) -> forall s, legal me t [] s -> le (reply K me t [] w s) c.
Proof.
  intros K me t w c bound s ok.
  assert (found : any_below (reply K me (map_tree (fun x => x) t) [] (map (map_row K K (fun x => x)) w) s) (options me t [] w)).
  { unfold options; apply best_sound; try reflexivity.
    - intro x; exists x; split; [ left; reflexivity | apply le_refl ].
    - intros x y l less [z [here less']]; exists z; split; [ exact here | eapply le_trans; eassumption ].
    - intros x l k [z [here less]]; exists z; split; [ apply in_or_app; left; exact here | exact less ].
    - intros x l k [z [here less]]; exists z; split; [ apply in_or_app; right; exact here | exact less ].
    - intros x y l k [x' [here less]] [y' [here' less']]; exists (plus x' y'); split; [ | apply plus_le; assumption ].
      apply in_flat_map; exists x'; split; [ exact here | apply in_map, here' ].
    - rewrite map_tree_same; exact ok. }
  rewrite map_tree_same in found; rewrite (map_ext _ (fun r => r)), map_id in found by (intros [[x e] o]; reflexivity).
  destruct found as [y [here less]]; eapply le_trans; [ exact less | ].
  rewrite Forall_forall in bound; apply bound, here.
Qed.

(** * 8. Fractions: certificates that are computed *)

Section Fractions.
  Variable K : ordered_field.
  Local Open Scope number_scope.
  Add Field K_is_a_field_again : (is_field K).

  Definition whole : Z -> K := gen_phiZ 0 1 plus times opposite.

  Lemma whole_morphism : ring_morph 0 1 plus times minus opposite eq 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Zeq_bool whole.
  Proof. apply gen_phiZ_morph; [ apply Eqsth | apply Eq_ext | exact (F_R (is_field K)) ]. Qed.

  Lemma whole_positive : forall n, 0 < whole (Zpos n).
  Proof.
    pose proof whole_morphism as h; induction n as [n step | n step | ].
    - change (Zpos n~1) with (2 * Zpos n + 1)%Z; rewrite (morph_add h), (morph_mul h).
      change (whole 2) with (1 + 1 : K); change (whole 1) with (1 : K).
      apply plus_positive; [ apply times_positive; [ apply two_positive | exact step ] | apply one_least ].
    - change (Zpos n~0) with (2 * Zpos n)%Z; rewrite (morph_mul h); change (whole 2) with (1 + 1 : K).
      apply times_positive; [ apply two_positive | exact step ].
    - apply one_positive.
  Qed.

  Lemma whole_least : forall z, (0 <= z)%Z -> 0 <= whole z.
  Proof.
    intros [| n | n] h; [ apply le_refl | apply whole_positive | exfalso; apply h; reflexivity ].
  Qed.

  Definition fraction (q : Q) : K := whole (Qnum q) / whole (Zpos (Qden q)).

  Lemma fraction_equal : forall x y, (x == y)%Q -> fraction x = fraction y.
  Proof.
    intros x y h; unfold fraction, Qeq in *; pose proof (f_equal whole h) as g; rewrite !(morph_mul whole_morphism) in g.
    pose proof (positive_not_zero _ _ (whole_positive (Qden x))) as nx; pose proof (positive_not_zero _ _ (whole_positive (Qden y))) as ny.
    replace (whole (Qnum x)) with (whole (Qnum y) * whole (Zpos (Qden x)) / whole (Zpos (Qden y)))
      by (rewrite <- g; field; exact ny).
    field; split; assumption.
  Qed.

  Lemma fraction_plus : forall x y, fraction (Qred (x + y)) = fraction x + fraction y.
  Proof.
    intros x y; rewrite (fraction_equal _ _ (Qred_correct _)); unfold fraction; destruct x as [n d], y as [n' d']; cbn [Qplus Qnum Qden].
    rewrite Pos2Z.inj_mul, (morph_add whole_morphism), !(morph_mul whole_morphism).
    field; split; apply positive_not_zero, whole_positive.
  Qed.

  Lemma fraction_times : forall x y, fraction (Qred (x * y)) = fraction x * fraction y.
  Proof.
    intros x y; rewrite (fraction_equal _ _ (Qred_correct _)); unfold fraction; destruct x as [n d], y as [n' d']; cbn [Qmult Qnum Qden].
    rewrite Pos2Z.inj_mul, !(morph_mul whole_morphism).
    field; split; apply positive_not_zero, whole_positive.
  Qed.

  Lemma fraction_opposite : forall x, fraction (- x) = - fraction x.
  Proof.
    intros [n d]; unfold fraction; cbn; rewrite (morph_opp whole_morphism); field; apply positive_not_zero, whole_positive.
  Qed.

  Lemma fraction_zero : fraction 0 = 0.
  Proof. unfold fraction; cbn; field; apply one_not_zero. Qed.

  Lemma fraction_one : fraction 1 = 1.
  Proof. unfold fraction; cbn; field; apply one_not_zero. Qed.

  Lemma fraction_least : forall x, (0 <= x)%Q -> 0 <= fraction x.
  Proof.
    intros [n d] h; unfold fraction; apply divide_least; [ apply whole_least | apply whole_positive ].
    unfold Qle in h; cbn in *; lia.
  Qed.

  Lemma fraction_le : forall x y, (x <= y)%Q -> fraction x <= fraction y.
  Proof.
    intros x y h; apply le_minus; replace (fraction y - fraction x) with (fraction y + fraction (- x)) by (rewrite fraction_opposite; ring).
    rewrite <- fraction_plus, (fraction_equal _ _ (Qred_correct _)); apply fraction_least.
    apply Qle_minus_iff in h; exact h.
  Qed.
End Fractions.
Arguments whole {_} _%Z_scope. Arguments fraction {_}.

Definition qplus (x y : Q) : Q := Qred (x + y).
Definition qtimes (x y : Q) : Q := Qred (x * y).
Definition qmost (x y : Q) : Q := if Qle_bool x y then y else x.
Definition qsum {A} (l : list A) (f : A -> Q) : Q := fold_right (fun x total => qplus (f x) total) 0%Q l.
Definition qequal (x y : Q) : bool := Qeq_bool x y.

Definition qbest : bool -> tree Q -> list nat -> list (row Q) -> Q := best 0%Q qplus qtimes (fun x => x) qmost qplus.

Fixpoint qlegal (me : bool) (t : tree Q) (past : list nat) (s : plan Q) : bool :=
  match t with
  | Terminal _ _ => true
  | Choice who next =>
      (if eqb who me
       then forallb (fun k => Qle_bool 0 (s past k)) (seq 0 (length next)) && qequal (qsum (seq 0 (length next)) (s past)) 1
       else true) &&
      (fix all (k : nat) (l : list (tree Q)) : bool :=
        match l with [] => true | child :: rest => qlegal me child (k :: past) s && all (S k) rest end) O next
  end.

Definition qhigher (i j : nat) : Q := match Nat.compare i j with Gt => 1 | Eq => 0 | Lt => - (1) end.

Definition qsign (me : bool) (x : Q) : Q := if me then - x else x.

(** Finitely many hands: the probabilities of pairs of hands, and the edge of each pair. *)
Definition finite_check (t : tree Q) (m n : nat) (joint edge : nat -> nat -> Q) (first second : nat -> plan Q) (v : Q) : bool :=
  forallb (fun i => forallb (fun j => Qle_bool 0 (joint i j)) (seq 0 n)) (seq 0 m) &&
  qequal (qsum (seq 0 m) (fun i => qsum (seq 0 n) (joint i))) 1 &&
  forallb (fun i => qlegal false t [] (first i)) (seq 0 m) &&
  forallb (fun j => qlegal true t [] (second j)) (seq 0 n) &&
  qequal (qsum (seq 0 m) (fun i => qbest false t [] (map (fun j => (joint i j, edge i j, second j)) (seq 0 n)))) v &&
  qequal (qsum (seq 0 n) (fun j => qbest true t [] (map (fun i => (- joint i j, edge i j, first i)) (seq 0 m)))) (- v).

Definition qmet (m : nat) (me : bool) (mine others : nat -> Q) (opponent : nat -> plan Q) (k : nat) (e : Q) : list (row Q) :=
  map (fun l => (qsign me (qtimes (mine k) (others l)), if Nat.eqb k l then e else if me then qhigher l k else qhigher k l, opponent l))
    (seq 0 m).

(** Hands on [0, 1] in [m] cells: a player replies at both ends of each cell. *)
Definition interval_check (t : tree Q) (m : nat) (p q : nat -> Q) (first second : nat -> plan Q) (v : Q) : bool :=
  forallb (fun k => Qle_bool 0 (p k)) (seq 0 m) && forallb (fun k => Qle_bool 0 (q k)) (seq 0 m) &&
  qequal (qsum (seq 0 m) p) 1 && qequal (qsum (seq 0 m) q) 1 &&
  forallb (fun k => qlegal false t [] (first k)) (seq 0 m) &&
  forallb (fun k => qlegal true t [] (second k)) (seq 0 m) &&
  qequal (qsum (seq 0 m) (fun k =>
    qplus (qbest false t [] (qmet m false p q second k (- (1)))) (qbest false t [] (qmet m false p q second k 1)))) (qplus v v) &&
  qequal (qsum (seq 0 m) (fun k =>
    qplus (qbest true t [] (qmet m true q p first k (- (1)))) (qbest true t [] (qmet m true q p first k 1)))) (- (qplus v v)).

(** The same games and strategies with numbers of a field. *)
Section Computed.
  Variable K : ordered_field.

  Definition dealt (m n : nat) (joint edge : nat -> nat -> Q) : deal K nat nat := {|
    hands0 := seq 0 m; hands1 := seq 0 n;
    Relance.joint := fun i j => fraction (joint i j); Relance.edge := fun i j => fraction (edge i j)
  |}.

  Definition played (s : nat -> plan Q) : nat -> plan K := fun hand => map_plan fraction (s hand).

  Lemma fraction_sum : forall A (l : list A) (f : A -> Q), fraction (K := K) (qsum l f) = sum l (fun x => fraction (f x)).
  Proof.
    induction l as [| x l step]; intro f; [ apply fraction_zero | ].
    change (qsum (x :: l) f) with (Qred (f x + qsum l f)); rewrite fraction_plus, step; reflexivity.
  Qed.

  Lemma fraction_higher : forall i j, fraction (K := K) (qhigher i j) = higher i j.
  Proof.
    intros i j; unfold qhigher, higher; destruct (Nat.compare i j);
      [ apply fraction_zero | rewrite fraction_opposite, fraction_one; reflexivity | apply fraction_one ].
  Qed.

  Lemma equal_fractions : forall x y, qequal x y = true -> fraction (K := K) x = fraction y.
  Proof. intros x y h; apply fraction_equal, Qeq_bool_eq, h. Qed.

  Lemma all_in : forall A (l : list A) (g : A -> bool), forallb g l = true -> forall x, In x l -> g x = true.
  Proof. intros A l g h; rewrite forallb_forall in h; exact h. Qed.

  Lemma qlegal_sound : forall me t past s, qlegal me t past s = true ->
    legal (K := K) me (map_tree fraction t) past (map_plan fraction s).
  Proof.
    intros me t; induction t as [pays stake | who next every] using tree_induction; intros past s h; [ exact I | ].
    cbn [qlegal] in h; apply andb_prop in h; destruct h as [own rest]; split.
    - intro same; subst who; rewrite eqb_reflx in own; apply andb_prop in own; destruct own as [least one]; rewrite map_length; split.
      + intros k range; apply fraction_least, Qle_bool_iff; apply (all_in _ _ _ least), in_seq; lia.
      + transitivity (fraction (K := K) 1); [ rewrite <- (equal_fractions _ _ one); symmetry; apply fraction_sum | apply fraction_one ].
    - clear own; revert rest; generalize O; induction every as [| child l here others step]; intros k h; [ exact I | cbn [map] ].
      apply andb_prop in h; destruct h as [h h']; split; [ apply here, h | apply step, h' ].
  Qed.

  Lemma qbest_sound : forall me t w s, legal me (map_tree fraction t) [] s ->
    le (reply K me (map_tree fraction t) [] (map (map_row K Q fraction) w) s) (fraction (qbest me t [] w)).
  Proof.
    intros me t w s ok; unfold qbest.
    apply (best_sound K Q Q 0%Q qplus qtimes (fun x => x) qmost qplus fraction (fun x q => le x (fraction q))); try assumption.
    - apply fraction_zero.
    - apply fraction_plus.
    - apply fraction_times.
    - intro x; apply le_refl.
    - intros x y a; apply le_trans.
    - intros x a b h; unfold qmost; destruct (Qle_bool a b) eqn:order; [ | exact h ].
      eapply le_trans; [ exact h | apply fraction_le, Qle_bool_iff, order ].
    - intros x a b h; unfold qmost; destruct (Qle_bool a b) eqn:order; [ exact h | ].
      eapply le_trans; [ exact h | apply fraction_le ].
      destruct (Qlt_le_dec b a) as [less | less]; [ apply Qlt_le_weak, less | apply Qle_bool_iff in less; congruence ].
    - intros x y a b h h'; unfold qplus; rewrite fraction_plus; apply plus_le; assumption.
  Qed.

  Theorem finite_sound : forall t m n joint edge first second v, finite_check t m n joint edge first second v = true ->
    equilibrium (map_tree fraction t) (dealt m n joint edge) (played first) (played second) (fraction v).
  Proof.
    intros t m n joint edge first second v h; unfold finite_check in h.
    repeat (apply andb_prop in h; let g := fresh "g" in destruct h as [h g]).
    apply (equilibrium_by_replies K nat nat _ _ _ _
      (fun i => fraction (qbest false t [] (map (fun j => (joint i j, edge i j, second j)) (seq 0 n))))
      (fun j => fraction (qbest true t [] (map (fun i => (- joint i j, edge i j, first i)%Q) (seq 0 m))))); cbn [dealt hands0 hands1].
    - split; cbn [dealt hands0 hands1 Relance.joint].
      + intros i j here here'; apply fraction_least, Qle_bool_iff.
        exact (all_in _ _ _ (all_in _ _ _ h i here) j here').
      + transitivity (fraction (K := K) 1); [ rewrite <- (equal_fractions _ _ g3), fraction_sum | apply fraction_one ]; apply sum_ext; intros i _; rewrite fraction_sum; reflexivity.
    - intros i here; apply qlegal_sound, (all_in _ _ _ g2 i here).
    - intros j here; apply qlegal_sound, (all_in _ _ _ g1 j here).
    - intros i here s ok; rewrite <- (map_map (fun j => (joint i j, edge i j, second j)) (map_row K Q fraction)).
      apply qbest_sound, ok.
    - intros j here s ok; cbn [Relance.joint Relance.edge].
      rewrite (map_ext _ (fun i => map_row K Q fraction ((- joint i j)%Q, edge i j, first i)))
        by (intro i; cbn; rewrite fraction_opposite; reflexivity).
      rewrite <- (map_map (fun i => ((- joint i j)%Q, edge i j, first i)) (map_row K Q fraction)); apply qbest_sound, ok.
    - rewrite <- (equal_fractions _ _ g0); symmetry; apply fraction_sum.
    - rewrite <- fraction_opposite, <- (equal_fractions _ _ g); symmetry; apply fraction_sum.
  Qed.

  Lemma qmet_sound : forall m me p q s k e, 
    map (map_row K Q fraction) (qmet m me p q s k e) =
    met K m me (fun l => fraction (p l)) (fun l => fraction (q l)) (played s) k (fraction e).
  Proof.
    intros m me p q s k e; unfold qmet, met; rewrite map_map; apply map_ext; intro l; cbn [map_row]; f_equal; f_equal.
    - unfold qsign, sign, qtimes; destruct me; [ rewrite fraction_opposite | ]; rewrite fraction_times; reflexivity.
    - unfold side; destruct (Nat.eqb k l); [ reflexivity | destruct me; apply fraction_higher ].
  Qed.

  Theorem interval_sound : forall t m p q first second v, interval_check t m p q first second v = true ->
    equilibrium_on_interval (map_tree fraction t) m (fun k => fraction (p k)) (fun k => fraction (q k))
      (played first) (played second) (fraction (K := K) v).
  Proof.
    intros t m p q first second v h; unfold interval_check in h.
    repeat (apply andb_prop in h; let g := fresh "g" in destruct h as [h g]).
    assert (minus_one : opposite (one : K) = fraction (- (1))) by (rewrite fraction_opposite, fraction_one; reflexivity).
    apply (equilibrium_on_interval_by_replies K _ m _ _ _ _
      (fun k => fraction (qbest false t [] (qmet m false p q second k (- (1)))))
      (fun k => fraction (qbest false t [] (qmet m false p q second k 1)))
      (fun k => fraction (qbest true t [] (qmet m true q p first k (- (1)))))
      (fun k => fraction (qbest true t [] (qmet m true q p first k 1)))).
    - intros k range; apply fraction_least, Qle_bool_iff, (all_in _ _ _ h k), in_seq; lia.
    - intros k range; apply fraction_least, Qle_bool_iff, (all_in _ _ _ g5 k), in_seq; lia.
    - transitivity (fraction (K := K) 1); [ rewrite <- (equal_fractions _ _ g4); symmetry; apply fraction_sum | apply fraction_one ].
    - transitivity (fraction (K := K) 1); [ rewrite <- (equal_fractions _ _ g3); symmetry; apply fraction_sum | apply fraction_one ].
    - intros k here; apply qlegal_sound, (all_in _ _ _ g2 k here).
    - intros k here; apply qlegal_sound, (all_in _ _ _ g1 k here).
    - intros k _ s ok; rewrite minus_one, <- qmet_sound; apply qbest_sound, ok.
    - intros k _ s ok; rewrite <- (fraction_one K), <- qmet_sound; apply qbest_sound, ok.
    - intros k _ s ok; rewrite minus_one, <- qmet_sound; apply qbest_sound, ok.
    - intros k _ s ok; rewrite <- (fraction_one K), <- qmet_sound; apply qbest_sound, ok.
    - rewrite <- fraction_plus; fold (qplus v v); rewrite <- (equal_fractions _ _ g0), fraction_sum.
      apply sum_ext; intros k _; unfold qplus; rewrite fraction_plus; reflexivity.
    - rewrite <- fraction_plus; fold (qplus v v); rewrite <- fraction_opposite, <- (equal_fractions _ _ g), fraction_sum.
      apply sum_ext; intros k _; unfold qplus; rewrite fraction_plus; reflexivity.
  Qed.
End Computed.

(** * 9. What is left to show of a profile with symbols: a list of inequalities and equations *)

Fixpoint each (n : nat) (P : nat -> Prop) : Prop :=
  match n with O => True | S n => P O /\ each n (fun k => P (S k)) end.

Lemma each_one : forall n P, each n P -> forall k, (k < n)%nat -> P k.
Proof.
  induction n as [| n step]; intros P h k range; [ lia | destruct h as [h h'] ].
  destruct k as [| k]; [ exact h | apply (step (fun k => P (S k)) h'); lia ].
Qed.

Section Listed.
  Variable K : ordered_field.
  Local Open Scope number_scope.
  Add Field K_is_a_field_at_last : (is_field K).

  Fixpoint all_at_most (c : K) (l : list K) : Prop :=
    match l with [] => True | x :: rest => x <= c /\ all_at_most c rest end.

  Lemma all_at_most_forall : forall c l, all_at_most c l -> Forall (fun x => x <= c) l.
  Proof. induction l as [| x l step]; intro h; constructor; [ apply h | apply step, h ]. Qed.

  Fixpoint lawful (me : bool) (t : tree K) (past : list nat) (s : plan K) : Prop :=
    match t with
    | Terminal _ _ => True
    | Choice who next =>
        (if eqb who me
         then each (length next) (fun k => 0 <= s past k) /\ sum (seq 0 (length next)) (s past) = 1
         else True) /\
        (fix all (k : nat) (l : list (tree K)) : Prop :=
          match l with [] => True | child :: rest => lawful me child (k :: past) s /\ all (S k) rest end) O next
    end.

  Lemma lawful_legal : forall me t past s, lawful me t past s -> legal me t past s.
  Proof.
    intros me t; induction t as [pays stake | who next every] using tree_induction; intros past s h; [ exact I | ].
    destruct h as [own rest]; split.
    - intro same; subst who; rewrite eqb_reflx in own; destruct own as [least one]; split; [ | exact one ].
      intros k range; exact (each_one _ _ least k range).
    - clear own; revert rest; generalize O; induction every as [| child l here others step]; intros k h; [ exact I | ].
      destruct h as [h h']; split; [ apply here, h | apply step, h' ].
  Qed.

  Definition dealing (m n : nat) (joint edge : nat -> nat -> K) : deal K nat nat :=
    {| hands0 := seq 0 m; hands1 := seq 0 n; Relance.joint := joint; Relance.edge := edge |}.

  Theorem equilibrium_by_options : forall (t : tree K) m n joint edge first second (c0 c1 : nat -> K) v,
    each m (fun i => each n (fun j => 0 <= joint i j)) -> sum (seq 0 m) (fun i => sum (seq 0 n) (joint i)) = 1 ->
    each m (fun i => lawful false t [] (first i)) -> each n (fun j => lawful true t [] (second j)) ->
    each m (fun i => all_at_most (c0 i) (options false t [] (map (fun j => (joint i j, edge i j, second j)) (seq 0 n)))) ->
    each n (fun j => all_at_most (c1 j) (options true t [] (map (fun i => (- joint i j, edge i j, first i)) (seq 0 m)))) ->
    sum (seq 0 m) c0 = v -> sum (seq 0 n) c1 = - v ->
    equilibrium t (dealing m n joint edge) first second v.
  Proof.
    intros t m n joint edge first second c0 c1 v least one ok0 ok1 bound0 bound1 sum0 sum1.
    apply (equilibrium_by_replies K nat nat t (dealing m n joint edge) first second c0 c1); cbn [dealing hands0 hands1 Relance.joint Relance.edge];
      try assumption.
    - split; cbn [dealing hands0 hands1 Relance.joint]; [ | exact one ].
      intros i j here here'; apply in_seq in here, here'; apply (each_one _ _ (each_one _ _ least i ltac:(lia)) j); lia.
    - intros i here; apply in_seq in here; apply lawful_legal, (each_one _ _ ok0 i); lia.
    - intros j here; apply in_seq in here; apply lawful_legal, (each_one _ _ ok1 j); lia.
    - intros i here s ok; apply in_seq in here; apply options_bound; [ | exact ok ].
      apply all_at_most_forall, (each_one _ _ bound0 i); lia.
    - intros j here s ok; apply in_seq in here; apply options_bound; [ | exact ok ].
      apply all_at_most_forall, (each_one _ _ bound1 j); lia.
  Qed.

  Theorem equilibrium_on_interval_by_options :
    forall (t : tree K) m (p q : nat -> K) (first second : nat -> plan K) (low0 high0 low1 high1 : nat -> K) v,
    each m (fun k => 0 <= p k) -> each m (fun k => 0 <= q k) -> sum (seq 0 m) p = 1 -> sum (seq 0 m) q = 1 ->
    each m (fun k => lawful false t [] (first k)) -> each m (fun k => lawful true t [] (second k)) ->
    each m (fun k => all_at_most (low0 k) (options false t [] (met K m false p q second k (- (1))))) ->
    each m (fun k => all_at_most (high0 k) (options false t [] (met K m false p q second k 1))) ->
    each m (fun k => all_at_most (low1 k) (options true t [] (met K m true q p first k (- (1))))) ->
    each m (fun k => all_at_most (high1 k) (options true t [] (met K m true q p first k 1))) ->
    sum (seq 0 m) (fun k => low0 k + high0 k) = v + v -> sum (seq 0 m) (fun k => low1 k + high1 k) = - (v + v) ->
    equilibrium_on_interval t m p q first second v.
  Proof.
    intros t m p q first second low0 high0 low1 high1 v p_least q_least p_one q_one ok0 ok1 bl0 bh0 bl1 bh1 total0 total1.
    apply (equilibrium_on_interval_by_replies K t m p q first second low0 high0 low1 high1); try assumption.
    - exact (each_one _ _ p_least).
    - exact (each_one _ _ q_least).
    - intros k here; apply in_seq in here; apply lawful_legal, (each_one _ _ ok0 k); lia.
    - intros k here; apply in_seq in here; apply lawful_legal, (each_one _ _ ok1 k); lia.
    - intros k here s ok; apply options_bound; [ apply all_at_most_forall, (each_one _ _ bl0 k here) | exact ok ].
    - intros k here s ok; apply options_bound; [ apply all_at_most_forall, (each_one _ _ bh0 k here) | exact ok ].
    - intros k here s ok; apply options_bound; [ apply all_at_most_forall, (each_one _ _ bl1 k here) | exact ok ].
    - intros k here s ok; apply options_bound; [ apply all_at_most_forall, (each_one _ _ bh1 k here) | exact ok ].
  Qed.

  Lemma minus_least : forall x y : K, x <= y -> 0 <= y - x.
  Proof. intros x y; apply le_minus. Qed.

  Lemma minus_positive : forall x y : K, x < y -> 0 < y - x.
  Proof.
    intros x y [h n]; split; [ apply le_minus, h | intro e; apply n ].
    replace y with (y - x + x) by ring; rewrite <- e; ring.
  Qed.

  Lemma positive_by : forall n s x : K, 0 < n -> 0 < s -> n * x = s -> 0 < x.
  Proof.
    intros n s x hn hs same; replace x with (s * (1 / n)) by (rewrite <- same; field; apply positive_not_zero, hn).
    apply times_positive; [ exact hs | split; [ apply inverse_least, hn | intro e; apply (one_not_zero K) ] ].
    replace (1 : K) with (n * (1 / n)) by (field; apply positive_not_zero, hn); rewrite <- e; ring.
  Qed.

  Lemma least_by : forall n s x : K, 0 < n -> 0 <= s -> n * x = s -> 0 <= x.
  Proof.
    intros n s x hn hs same; replace x with (s * (1 / n)) by (rewrite <- same; field; apply positive_not_zero, hn).
    apply le_times; [ exact hs | apply inverse_least, hn ].
  Qed.

  Lemma positive_least : forall x : K, 0 < x -> 0 <= x.
  Proof. intros x [h _]; exact h. Qed.

  Lemma least_as : forall x y : K, 0 <= x -> y = x -> 0 <= y.
  Proof. intros x y h same; rewrite same; exact h. Qed.

  Lemma positive_as : forall x y : K, 0 < x -> y = x -> 0 < y.
  Proof. intros x y h same; rewrite same; exact h. Qed.

  Lemma nonzero_as : forall x y : K, 0 < x -> y = x -> y <> 0.
  Proof. intros x y h same; rewrite same; apply positive_not_zero, h. Qed.

  Lemma nonzero_as_opposite : forall x y : K, 0 < x -> y = - x -> y <> 0.
  Proof. intros x y h same e; apply (positive_not_zero _ _ h); replace x with (- y) by (rewrite same; ring); rewrite e; ring. Qed.
End Listed.

(** The conjunctions of a list, one by one. *)
Ltac parts := repeat match goal with |- _ /\ _ => apply conj | |- True => exact I end.

Ltac compute_numbers :=
  cbv -[plus times minus opposite divide inverse zero one le whole number].

(** Signs of sums of products of numbers whose signs are known. *)
Ltac least :=
  first [ assumption | apply positive_least; assumption | lazymatch goal with
  | |- le zero (plus _ _) => apply plus_least; [ least | least ]
  | |- le zero (times _ _) => apply le_times; [ least | least ]
  | |- le zero zero => apply le_refl
  | |- le zero one => apply one_least
  | |- le zero (whole _) => apply whole_least; discriminate
  end ].

Ltac positive :=
  first [ assumption | lazymatch goal with
  | |- le zero (plus _ _) /\ _ => apply plus_positive; [ positive | least ]
  | |- le zero (times _ _) /\ _ => apply times_positive; [ positive | positive ]
  | |- le zero one /\ _ => apply one_positive
  | |- le zero (whole (Zpos _)) /\ _ => apply whole_positive
  end ].

Ltac not_zero :=
  lazymatch goal with |- ?x <> zero =>
    first
      [ apply positive_not_zero; positive
      | match goal with h : le zero ?d /\ _ |- _ =>
          first [ apply (nonzero_as _ d x h); ring | apply (nonzero_as_opposite _ d x h); ring ]
        end ]
  end.

(** Shows an equation of rational functions. *)
Ltac equal := field; repeat split; not_zero.

(** Shows that one number is at most another: by their difference, a fraction whose signs are clear. *)
Tactic Notation "gap" uconstr(top) uconstr(bottom) :=
  lazymatch goal with |- @le ?K ?x ?y =>
    refine (le_by K x y (@divide K top bottom) _ _); [ equal | apply divide_least; [ least | positive ] ]
  end.

Ltac whole_constant t :=
  lazymatch t with
  | whole ?z => lazymatch isZcst z with true => z | _ => constr:(InitialRing.NotConstant) end
  | zero => constr:(0%Z)
  | one => constr:(1%Z)
  | _ => constr:(InitialRing.NotConstant)
  end.

Ltac tie := first [ apply le_refl | apply (le_by _ _ _ zero); [ equal | apply le_refl ] ].
